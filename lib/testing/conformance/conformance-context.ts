import assert from 'node:assert/strict';

import type { Clock } from '../../contract/clock';
import type { LaneBackend, OpenQueueRequest } from '../../contract/queue-backend';
import { Refusal } from '../../contract/refusal';
import type { QueueEventName } from '../../model/queue-event';
import type { Coverage } from './conformance-case';
import type { BackendUnderTest } from './conformance-harness';
import { EventTail } from './event-tail';
import { QueueUser } from './queue-user';
import { WatchedSignal } from './watched-signal';

/**
 * What a case works with. Whatever it opens by way of the context is closed for it, and looked at for remains.
 *
 * @public
 */
export class ConformanceContext {
  /** Name of the queue that `open` opens unless told otherwise. */
  readonly queueName = 'cases';
  readonly #users: QueueUser[] = [];
  readonly #signals: WatchedSignal[] = [];
  readonly #compared = new Set<Coverage>();

  constructor(private readonly underTest: BackendUnderTest) {}

  get backend(): LaneBackend {
    return this.underTest.backend;
  }

  get clock(): Clock {
    return this.underTest.clock;
  }

  /** Opens a handle. */
  open(request: Partial<OpenQueueRequest> = {}): QueueUser {
    const handle = this.backend.openQueue({ queueName: this.queueName, role: 'worker', ...request });
    const user = new QueueUser(handle);
    this.#users.push(user);
    return user;
  }

  /** A signal whose listeners must be gone at the end of the case. */
  signal(): WatchedSignal {
    const signal = new WatchedSignal();
    this.#signals.push(signal);
    return signal;
  }

  /** Lets time pass. */
  advance(millis: number): Promise<void> {
    return this.underTest.advance(millis);
  }

  /** Takes the wake-ups that are there already, in vain or not, so that the next one tells of something new. */
  async takeWakeUps({ handle }: QueueUser): Promise<void> {
    const { signal } = this.signal();
    for (let isWoken = true; isWoken;) {
      const woken = handle.waitForWork({ block: 1, signal });
      await this.advance(1);
      isWoken = await woken;
    }
  }

  /** Reads the events that are written from now on. */
  async tail({ handle }: QueueUser): Promise<EventTail> {
    return new EventTail(handle, await handle.lastEventId(), (name) =>
      this.#compared.add(`event:${name as QueueEventName}`),
    );
  }

  /** The answers to the items of a call are these. */
  expectRefusals(reply: { refusals: (Refusal | null)[] }, ...expected: (Refusal | null)[]): void {
    assert.deepEqual(reply.refusals, expected);
    for (const refusal of expected) {
      if (refusal !== null) {
        this.#compared.add(`refusal:${Refusal[refusal] as keyof typeof Refusal}`);
      }
    }
  }

  /** The answer to a call that is about the whole queue is this. */
  expectRefusal(reply: { refusal: Refusal | null }, expected: Refusal | null): void {
    this.expectRefusals({ refusals: [reply.refusal] }, expected);
  }

  /** What the case has compared of what it says it covers. */
  hasCompared(coverage: Coverage): boolean {
    return this.#compared.has(coverage);
  }

  /** Closes what is open. */
  async close(): Promise<void> {
    await Promise.all(this.#users.map((user) => user.handle.close()));
  }

  /** Fails if something was left behind by handles that are closed. */
  expectNothingLeft(): void {
    const listeners = this.#signals.reduce((sum, signal) => sum + signal.listeners, 0);
    assert.equal(listeners, 0, `${listeners} listeners are left at abort signals`);
    const timers = this.underTest.openTimers?.() ?? 0;
    assert.equal(timers, 0, `${timers} timers are left`);
  }
}
