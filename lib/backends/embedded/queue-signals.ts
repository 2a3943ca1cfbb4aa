import type { Clock } from '../../contract/clock';
import type { CancelNotice } from '../../contract/job-cancelling';
import { NO_EVENTS, type EventPage, type ReadEventsRequest } from '../../contract/event-log';
import type { WaitForWorkRequest } from '../../contract/work-signal';
import { hasReadyJobs, nextDueTime } from './claim';
import { isMaxed, permitsOf } from './limits';
import type { RateLimit } from '../../model/rate-limit';
import type { Step } from './step';
import type { Store } from './store';
import { WaitingRoom } from './waiting-room';

/** Notices that a handle which never waits has kept for it; `renewLeases` tells them all. */
const MOST_KEPT = 1_000;

/**
 * Those who wait for something to happen in a queue: its workers for work, its listeners for events.
 *
 * Nobody waits while there is work: whoever comes then is sent away at once, and the step that leaves work wakes
 * everybody. Those who wait for the end of a rate limit are woken when it is lifted. Jobs come due without a step, which is what the timer is for. It runs only while a worker waits, for the
 * next due time that was seen when a worker came or a step was stored.
 *
 * @internal
 */
export class QueueSignals {
  readonly #workers: WaitingRoom;
  readonly #limited: WaitingRoom;
  readonly #listeners: WaitingRoom;
  readonly #busy: WaitingRoom;
  readonly #inboxes = new Map<string, Inbox>();
  #timerEnd = Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly store: Store,
    private readonly queueName: string,
    private readonly clock: Clock,
  ) {
    this.#workers = new WaitingRoom(clock, true);
    this.#limited = new WaitingRoom(clock, true);
    // When nothing else keeps the process alive, nothing will happen that they could hear of.
    this.#listeners = new WaitingRoom(clock, false);
    this.#busy = new WaitingRoom(clock, false);
  }

  /** Tells those who wait what a step has left them, once it is stored. */
  announce(step: Step): void {
    if (!this.#workers.isEmpty) {
      this.#wakeWorkersWhenDue();
    }
    if (step.hasLifted) {
      this.#limited.wake();
    }
    if (step.hasEvents) {
      this.#listeners.wake();
    }
    for (const { holder, notice } of step.notices) {
      this.#inboxes.get(holder)?.take(notice);
    }
  }

  /** A handle may be told something from now on. */
  enter(owner: Owner): void {
    this.#inboxes.set(owner.caller, new Inbox());
  }

  /** Waits until a claim is worth a try. */
  async waitForWork(owner: Owner, request: WaitForWorkRequest): Promise<boolean> {
    const inbox = this.#inboxes.get(owner.caller)!;
    inbox.open(request.onCancel);
    try {
      return await this.#wait(owner, request);
    } finally {
      inbox.close();
    }
  }

  async #wait(owner: object, { block, signal, limited, busy }: WaitForWorkRequest): Promise<boolean> {
    if (signal.aborted) {
      return false;
    }
    if (busy === true) {
      return this.#busy.enter(owner, block, signal);
    }
    if (limited !== undefined) {
      return this.#isLimited(limited.limiter) ? this.#limited.enter(owner, block, signal) : true;
    }
    const nextDue = this.#nextDue();
    if (nextDue <= this.clock.now()) {
      return true;
    }
    const woken = this.#workers.enter(owner, block, signal);
    this.#setTimer(nextDue);
    try {
      return await woken;
    } finally {
      if (this.#workers.isEmpty) {
        this.#stopTimer();
      }
    }
  }

  /** Reads events, and waits for the first. */
  async readEvents(owner: object, request: ReadEventsRequest): Promise<EventPage> {
    const [millis, number] = parseEventId(request.after);
    const end = this.clock.now() + request.block;
    for (;;) {
      const events = this.store.eventsAfter(this.queueName, millis, number, request.limit);
      if (events.length > 0) {
        return { events, hasGap: this.store.isCutAfter(this.queueName, millis, number) };
      }
      const left = end - this.clock.now();
      if (left <= 0) {
        return NO_EVENTS;
      }
      const isWoken = await this.#listeners.enter(owner, left, request.signal);
      if (!isWoken && this.clock.now() < end) {
        return NO_EVENTS;
      }
    }
  }

  /** Ends the waits of a handle. */
  leave(owner: Owner): void {
    this.#inboxes.delete(owner.caller);
    this.#busy.leave(owner);
    this.#workers.leave(owner);
    this.#limited.leave(owner);
    this.#listeners.leave(owner);
  }

  /** Time from which a claim brings jobs: 0 when some are ready, `Infinity` when none will be by themselves. */
  #nextDue(): number {
    const { store, queueName } = this;
    if (store.get('queues', queueName)?.paused === 1 || isMaxed(store, queueName)) {
      return Infinity;
    }
    return hasReadyJobs(store, queueName) ? 0 : (nextDueTime(store, queueName) ?? Infinity);
  }

  /** Whether a claim is held back by a rate, or by hand. */
  #isLimited(limiter: RateLimit | undefined): boolean {
    const queue = this.store.get('queues', this.queueName);
    return (
      queue !== undefined && permitsOf(queue, Math.floor(this.clock.now()), limiter, true).limitedFor > 0
    );
  }

  /** Now, if there is work. */
  #wakeWorkersWhenDue(): void {
    const nextDue = this.#nextDue();
    if (nextDue <= this.clock.now()) {
      this.#workers.wake();
    } else {
      this.#setTimer(nextDue);
    }
  }

  #setTimer(due: number): void {
    if (due >= this.#timerEnd) {
      return;
    }
    this.#stopTimer();
    this.#timerEnd = due;
    // A wait of no length would end before its time, or never.
    this.#cancelTimer = this.clock.setTimer(Math.max(1, due - this.clock.now()), () => {
      this.#stopTimer();
      this.#wakeWorkersWhenDue();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerEnd = Infinity;
  }
}

/** Who waits: a handle. */
interface Owner {
  readonly caller: string;
}

/** What a handle is to be told. Notices that come while it does not wait are kept for when it does. */
class Inbox {
  #kept: CancelNotice[] = [];
  #reader: ((notice: CancelNotice) => void) | undefined;

  open(reader: ((notice: CancelNotice) => void) | undefined): void {
    this.#reader = reader;
    if (reader !== undefined) {
      this.#kept.splice(0).forEach(reader);
    }
  }

  close(): void {
    this.#reader = undefined;
  }

  take(notice: CancelNotice): void {
    if (this.#reader !== undefined) {
      this.#reader(notice);
    } else if (this.#kept.length < MOST_KEPT) {
      this.#kept.push(notice);
    }
  }
}

function parseEventId(id: string): [millis: number, number: number] {
  const [millis, number] = id.split('-');
  return [Number(millis), Number(number ?? 0)];
}
