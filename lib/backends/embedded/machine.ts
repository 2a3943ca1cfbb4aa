import { randomBytes } from 'node:crypto';

import type { Clock } from '../../contract/clock';
import type { MutatingCall, Reply } from '../../contract/mutating-call';
import { EmbeddedQueue } from './embedded-queue';
import { QueueSignals } from './queue-signals';
import { forget, recall, remember } from './reply-slots';
import { Step } from './step';
import type { Store } from './store';

/**
 * The state machine of all queues of one store. What happens to jobs is decided by the functions that it runs, each
 * an operation of the contract; the machine makes each call of them one step, which happens once.
 *
 * @internal
 */
export class EmbeddedMachine {
  readonly #signals = new Map<string, { readonly signals: QueueSignals; users: number }>();

  constructor(
    readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Store time in whole milliseconds. */
  now(): number {
    return Math.floor(this.clock.now());
  }

  /**
   * A handle on a queue.
   *
   * @param onClose - called once, when it was closed
   */
  openQueue(queueName: string, onClose?: () => void): EmbeddedQueue {
    const entry = this.#signals.get(queueName) ?? {
      signals: new QueueSignals(this.store, queueName, this.clock),
      users: 0,
    };
    entry.users += 1;
    this.#signals.set(queueName, entry);
    const caller = randomBytes(16).toString('hex');
    return new EmbeddedQueue(this, queueName, caller, entry.signals, () => {
      entry.users -= 1;
      if (entry.users === 0) {
        this.#signals.delete(queueName);
      }
      this.store.transact(() => forget(this.store, caller));
      onClose?.();
    });
  }

  /**
   * Carries a changing call out, unless it was before.
   *
   * @param act - the operation
   * @param leaseDuration - of the leases that the call takes or renews
   * @throws StaleCallError or CallExpiredError
   */
  change<Result extends Reply>(
    { queueName, signals }: { readonly queueName: string; readonly signals: QueueSignals },
    call: MutatingCall,
    act: (step: Step) => Result,
    leaseDuration = 0,
  ): Result {
    const { step, reply } = this.store.transact(() => {
      const step = new Step(this.store, queueName, this.now());
      let reply = recall(step, call) as Result | undefined;
      if (reply === undefined) {
        reply = act(step);
        remember(step, call, reply, leaseDuration);
        step.save();
      }
      return { step, reply };
    });
    signals.announce(step);
    return reply;
  }
}
