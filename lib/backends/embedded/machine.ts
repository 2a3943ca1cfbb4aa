import { randomBytes } from 'node:crypto';

import type { Clock } from '../../contract/clock';
import type { MutatingCall, Reply } from '../../contract/mutating-call';
import type { OpenQueueRequest } from '../../contract/queue-backend';
import type { WorkerInfo } from '../../contract/worker-lookup';
import { EmbeddedQueue } from './embedded-queue';
import { QueueSignals } from './queue-signals';
import { forget, recall, remember } from './reply-slots';
import { Step } from './step';
import type { Store } from './store';

/** What the handles on one queue share. */
interface OpenQueue {
  readonly signals: QueueSignals;
  readonly workers: Set<WorkerInfo>;
  users: number;
}

/**
 * The state machine of all queues of one store. What happens to jobs is decided by the functions that it runs, each
 * an operation of the contract; the machine makes each call of them one step, which happens once.
 *
 * @internal
 */
export class EmbeddedMachine {
  readonly #queues = new Map<string, OpenQueue>();

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
  openQueue({ queueName, role, workerName = null }: OpenQueueRequest, onClose?: () => void): EmbeddedQueue {
    const open = this.#queues.get(queueName) ?? {
      signals: new QueueSignals(this.store, queueName, this.clock),
      workers: new Set(),
      users: 0,
    };
    open.users += 1;
    this.#queues.set(queueName, open);
    const caller = randomBytes(16).toString('hex');
    const worker = role === 'worker' ? { name: workerName, address: null } : undefined;
    const presence = { workers: open.workers, worker };
    open.signals.enter({ caller });
    return new EmbeddedQueue(this, queueName, caller, open.signals, presence, () => {
      open.users -= 1;
      if (open.users === 0) {
        this.#queues.delete(queueName);
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
