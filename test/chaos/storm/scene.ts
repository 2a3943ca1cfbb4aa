import type { HandleRole, JobRecord, NewJob } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../support/seeded-random.mjs';
import { allJobs, NOTHING_SEEN, type Observation } from './observation';
import type { Answer, CallNumber, Side } from './side';

/**
 * One step of a storm: the same on every side, and also in another storm, which has taken some of the steps that came
 * before and not others.
 */
export interface Step {
  /** What it does, so that a reader can do it again. */
  readonly text: string;
  /** Name of the caller that has to be there. */
  readonly caller?: string;
  /** Lets time pass before anything else. */
  readonly advance?: number;
  readonly act: (side: Side) => Promise<unknown>;
  /** Drops events, which nobody can read afterwards. */
  readonly dropsEvents?: true;
  /** How many items it is about, if they can be left out. */
  readonly items?: number;
  /** The same step without the items from a place up to another. */
  readonly without?: (from: number, to: number) => Step;
  /** Takes in what it came to. */
  learn?(answer: Answer, scene: Scene): void;
}

/** Who makes calls: a handle. */
export interface Caller {
  readonly name: string;
  readonly role: HandleRole;
}

/** A call that ran, and could be made again by someone who has seen no reply. */
export interface MadeCall {
  readonly step: Step;
  readonly number: CallNumber;
  readonly answer: Answer;
  /** Until when its outcome is kept for certain. */
  readonly keptUntil: number;
}

export interface Lease {
  readonly id: string;
  readonly token: string;
  /** Name of the caller that it was given to. */
  readonly holder: string;
  endsAt: number;
}

/** The name of a channel among those of all callers. */
export function channelKey({ caller, channel }: Pick<CallNumber, 'caller' | 'channel'>): string {
  return `${caller}:${channel}`;
}

const oldLeases = 40;

/** What the storm knows while it goes on: from this, and chance, every step is made up. */
export class Scene {
  now: number;
  seen: Observation = NOTHING_SEEN;
  readonly callers: Caller[] = [];
  /** The last call of each channel that ran, by `channelKey`. */
  readonly lastCalls = new Map<string, MadeCall>();
  /** The highest number of each channel that was used, also for a call that did not run. */
  readonly #numbers = new Map<string, number>();
  /** Of each job the last lease. */
  readonly leases = new Map<string, Lease>();
  /** Some that came before. */
  readonly formerLeases: Lease[] = [];
  /** What was sent of the jobs that are stored, by id. */
  readonly sent = new Map<string, NewJob & { readonly at: number }>();
  /** When jobs come due that are held back, by id. */
  readonly due = new Map<string, number>();
  added = 0;
  /** Events that were written so far. */
  eventsTold = 0;
  /** Jobs that the last step has removed without an event for each. */
  vanished = 0;
  #came = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** A caller under a name that nobody had; a step lets it in. */
  newCaller(role: HandleRole): Caller {
    this.#came += 1;
    return { name: `${role}-${this.#came}`, role };
  }

  get cameInAll(): number {
    return this.#came;
  }

  /** A caller that makes no more calls. */
  leave(name: string): void {
    this.callers.splice(
      this.callers.findIndex((caller) => caller.name === name),
      1,
    );
    for (const [key, { number }] of this.lastCalls) {
      if (number.caller === name) this.lastCalls.delete(key);
    }
  }

  has(name: string): boolean {
    return this.callers.some((caller) => caller.name === name);
  }

  callersOf(role: HandleRole): Caller[] {
    return this.callers.filter((caller) => caller.role === role);
  }

  /** Ids that are stored. */
  get ids(): string[] {
    return allJobs(this.seen).map(({ id }) => id);
  }

  get jobs(): JobRecord[] {
    return allJobs(this.seen);
  }

  /** Leases on jobs that are active, whether they are over or not. */
  get openLeases(): Lease[] {
    return this.seen.jobs.active.flatMap(({ id }) => this.leases.get(id) ?? []);
  }

  leased(lease: Lease): void {
    const former = this.leases.get(lease.id);
    if (former !== undefined && former.token !== lease.token) {
      this.formerLeases.push(former);
      if (this.formerLeases.length > oldLeases) this.formerLeases.shift();
    }
    this.leases.set(lease.id, lease);
  }

  /** A number of a channel that no call had. */
  nextNumber(caller: string, channel: string, step: number): number {
    const key = channelKey({ caller, channel });
    const number = (this.#numbers.get(key) ?? 0) + step;
    this.#numbers.set(key, number);
    return number;
  }

  /** Jobs were removed without events. */
  vanish(count: number): void {
    this.vanished += count;
  }

  /** A job was stored. */
  stored(id: string, job: NewJob, at: number): void {
    this.added += 1;
    this.sent.set(id, { ...job, at: job.timestamp ?? at });
  }

  /** When delayed jobs come due. */
  get dueTimes(): number[] {
    return [...this.due.values()];
  }

  /** Any of some, or `undefined` if there are none. */
  any<Item>(random: SeededRandom, items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : items[random.integer(0, items.length - 1)];
  }
}
