import { isMaxed, permitsOf } from '../backends/embedded/limits';
import { EmbeddedMachine } from '../backends/embedded/machine';
import { MemoryStore } from '../backends/memory/memory-store';
import type { Clock } from '../contract/clock';
import type { EventPage, ReadEventsRequest } from '../contract/event-log';
import type { Claim, ClaimJobsReply, ClaimRequest, SettleJobsRequest } from '../contract/job-handover';
import type { SettleJobsReply, RenewLeasesReply, RenewLeasesRequest } from '../contract/job-handover';
import type { AddJobsReply, AddJobsRequest } from '../contract/job-intake';
import type { MutatingCall } from '../contract/mutating-call';
import type { LaneBackend, OpenQueueRequest, QueueBackend } from '../contract/queue-backend';
import type { Refusal } from '../contract/refusal';
import type { WaitForWorkRequest } from '../contract/work-signal';
import type { RateLimit } from '../model/rate-limit';
import type { HeldJobs } from './held-jobs';
import type { Journal, Place } from './journal';
import { keyOf } from './recording';
import { realTime, turnOfTheEventLoop } from './turns';
import type { Turnstile } from './turnstile';

/** Turns of the event loop in which nothing happens before nothing is under way. */
const QUIET_TURNS = 4;

/** Milliseconds that a wait may last: only time and jobs end one, and time may be moved far. */
const LONG_WAIT = 100 * 365 * 86_400_000;

/** Waits last until something happens; all else is done at once, and tells that something is going on. */
const WAITS: ReadonlySet<string> = new Set(['waitForWork', 'readEvents', 'close']);

/**
 * What the stores of all connections share.
 *
 * @internal
 */
export interface StoreWatch {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly held: HeldJobs;
  readonly turnstile: Turnstile;
}

/**
 * Counts what goes on in the stores of an application.
 *
 * @internal
 */
export class Activity {
  #calls = 0;
  #under = 0;

  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    this.#under += 1;
    try {
      return await call();
    } finally {
      this.#under -= 1;
      this.#calls += 1;
    }
  }

  /**
   * Waits until nothing is under way that goes on by itself.
   *
   * @param patience - most milliseconds of real time
   */
  async rest(patience: number): Promise<void> {
    const end = realTime() + patience;
    for (let quiet = 0, seen = this.#calls; quiet < QUIET_TURNS && realTime() < end;) {
      await turnOfTheEventLoop();
      quiet = this.#calls === seen && this.#under === 0 ? quiet + 1 : 0;
      seen = this.#calls;
    }
  }
}

/**
 * The memory backend, as a connection under test has it: the state machine and the store of production, with notes of
 * what is done, and a turnstile before the jobs that workers take.
 *
 * @internal
 */
export class TestStore implements LaneBackend {
  readonly kind = 'memory';
  readonly capabilities = { durable: false, server: false };
  readonly #store = new MemoryStore();
  readonly #machine: EmbeddedMachine;
  readonly #open = new Map<QueueBackend, string>();

  constructor(
    private readonly connection: string,
    private readonly watch: StoreWatch,
    private readonly activity: Activity,
  ) {
    this.#machine = new EmbeddedMachine(this.#store, watch.clock);
  }

  /** Handles that are open, each as `Queue "email", worker`. */
  get openHandles(): string[] {
    return [...this.#open.values()];
  }

  openQueue(request: OpenQueueRequest): QueueBackend {
    const handle: QueueBackend = this.#machine.openQueue(request, () => this.#open.delete(handle));
    this.#open.set(handle, `queue "${request.queueName}", ${request.role}`);
    const place = { queue: request.queueName, connection: this.connection };
    const own = this.#ownWays(handle, place);
    return new Proxy(handle, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') {
          return value;
        }
        const call = (own as Record<string | symbol, unknown>)[key] ?? (value.bind(target) as unknown);
        return WAITS.has(String(key))
          ? call
          : (...args: unknown[]) =>
              this.activity.during(async () => {
                const reply: unknown = await (call as (...args: unknown[]) => unknown)(...args);
                this.watch.journal.readEvents(place, this.#store);
                return reply;
              });
      },
    });
  }

  /** Names of the jobs that a worker of that limit could take right now, each as often as there are such jobs. */
  readyJobs(queue: string, limiter: RateLimit | undefined): string[] {
    const now = Math.floor(this.watch.clock.now());
    const row = this.#store.get('queues', queue);
    const isHeldBack =
      row === undefined ||
      row.paused === 1 ||
      isMaxed(this.#store, queue) ||
      permitsOf(row, now, limiter, true).limitedFor > 0;
    if (isHeldBack) {
      return [];
    }
    const ready = (['waiting', 'prioritized'] as const).flatMap((state) =>
      this.#store.scan('jobsByState', [queue, state], { limit: Infinity }),
    );
    const due = this.#store.scan('jobsByState', [queue, 'delayed'], { to: now, limit: Infinity });
    return [...ready, ...due].map(({ name }) => name);
  }

  /** What is done otherwise than by the memory backend. */
  #ownWays(handle: QueueBackend, place: Place): Partial<QueueBackend> {
    const { journal, held, turnstile } = this.watch;
    const key = keyOf(place.queue, place.connection);
    const note = (claim: Claim): void => {
      for (const job of claim.jobs) {
        journal.named(place, job.id, job.name);
        held.claimed(place, this.#store, job, claim.token);
      }
    };
    /** Makes a claim for as many as are let through; `null` when there are none. */
    const through = async <Reply extends { claim: Claim | null }>(
      claim: ClaimRequest,
      make: (claim: ClaimRequest | null) => Promise<Reply>,
    ): Promise<Reply> => {
      const count = Math.min(claim.count, turnstile.room(key));
      turnstile.take(count);
      const reply = await make(count === 0 ? null : { ...claim, count });
      turnstile.take((reply.claim?.jobs.length ?? 0) - count);
      note(reply.claim ?? NOTHING);
      return reply;
    };
    return {
      addJobs: async (request: AddJobsRequest, call: MutatingCall): Promise<AddJobsReply> => {
        const reply = await handle.addJobs(request, call);
        journal.addedJobs(place, request.jobs, reply.results);
        return reply;
      },
      claimJobs: async (request: ClaimRequest, call: MutatingCall): Promise<ClaimJobsReply> =>
        through(request, async (claim) =>
          claim === null
            ? { now: await handle.time(), claim: { ...NOTHING } }
            : handle.claimJobs(claim, call),
        ),
      settleJobs: async (request: SettleJobsRequest, call: MutatingCall): Promise<SettleJobsReply> => {
        const outcomes = request.outcomes.filter((outcome) => !held.isLost(outcome));
        const settle = async (claim: ClaimRequest | null): Promise<SettleJobsReply> => {
          outcomes.forEach((outcome) => journal.settling(place, outcome));
          const reply = await handle.settleJobs({ ...request, outcomes, claim }, call);
          const refusals = new Map(
            outcomes.map((outcome, index) => [outcome, reply.refusals[index] ?? null]),
          );
          outcomes.forEach((outcome) => journal.settled(place, outcome, refusals.get(outcome) === null));
          return {
            ...reply,
            refusals: request.outcomes.map((outcome): Refusal | null => refusals.get(outcome) ?? null),
          };
        };
        if (request.claim === null) {
          return settle(null);
        }
        return through(request.claim, async (claim) => {
          const reply = await settle(claim);
          return claim === null ? { ...reply, claim: { ...NOTHING } } : reply;
        });
      },
      renewLeases: async (request: RenewLeasesRequest, call: MutatingCall): Promise<RenewLeasesReply> => {
        const leases = request.leases.filter((lease) => !held.isLost(lease));
        const reply = await handle.renewLeases({ ...request, leases }, call);
        const refusals = new Map(leases.map((lease, index) => [lease, reply.refusals[index] ?? null]));
        return {
          ...reply,
          refusals: request.leases.map((lease): Refusal | null => refusals.get(lease) ?? null),
        };
      },
      readEvents: (request: ReadEventsRequest): Promise<EventPage> =>
        handle.readEvents({ ...request, block: request.block > 0 ? LONG_WAIT : 0 }),
      waitForWork: async (request: WaitForWorkRequest): Promise<boolean> => {
        if (turnstile.room(key) > 0 || request.busy === true) {
          const block = request.limited === undefined ? LONG_WAIT : request.block;
          return handle.waitForWork({ ...request, block });
        }
        // Until it is opened, there is only news to wait for.
        const end = new AbortController();
        const stop = (): void => end.abort();
        const forget = turnstile.onOpen(stop);
        request.signal.addEventListener('abort', stop, { once: true });
        if (request.signal.aborted) {
          stop();
        }
        try {
          await handle.waitForWork({ ...request, busy: true, block: LONG_WAIT, signal: end.signal });
        } finally {
          forget();
          request.signal.removeEventListener('abort', stop);
        }
        return !request.signal.aborted;
      },
    };
  }
}

/** A queue whose jobs are kept back looks as if it was paused. */
const NOTHING: Claim = { jobs: [], token: '', iterations: [], idle: { reason: 'paused', dueIn: null } };
