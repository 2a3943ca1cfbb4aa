import type { MutatingCall, Reply } from '../contract/mutating-call';
import type { QueueBackend } from '../contract/queue-backend';
import type { JobRecord } from '../model/job-record';
import type { Job } from './job';
import { command } from './job-gateway';
import type { JobOwner } from './job-owner';
import type { CleanType } from './queue-arguments';
import type { OpenConnection } from './runtime/queue-connection';
import { SafeEmitter } from './runtime/safe-emitter';

/**
 * Events of a `Queue` object: what was done through it. `queue.events$` and `QueueEvents` tell what happens in the
 * queue itself.
 *
 * @public
 */
export interface QueueListeners {
  /** A job was added and is ready to run. */
  waiting: [job: Job];
  /** A job was removed by `remove()`, of this object or of a job that came from it. */
  removed: [jobId: string];
  /** `clean()` is done. */
  cleaned: [jobIds: string[], type: CleanType];
  /** Progress was reported by a job of this object, or by `updateJobProgress`, which knows the id only. */
  progress: [job: Job | string, progress: unknown];
  /** `pause()` took effect. */
  paused: [];
  /** `resume()` took effect. */
  resumed: [];
  /** Something failed that no call could report. */
  error: [error: Error];
}

/**
 * What the parts of a `Queue` share: one open handle, and one form for jobs.
 *
 * @internal
 */
export abstract class QueueBase<AnyJob extends Job = Job> extends SafeEmitter<QueueListeners> {
  /** Name of the queue. */
  abstract readonly name: string;

  /**
   * What jobs of the queue hang on.
   *
   * @internal
   */
  protected abstract readonly owner: JobOwner;

  /**
   * The open handle, once the adds that came before have been answered.
   *
   * @param call - what it is wanted for, for the error
   * @throws QueueClosedError after `close()`
   *
   * @internal
   */
  protected abstract use(call: string): Promise<OpenConnection>;

  /**
   * The open handle, unless the backend is still being loaded.
   *
   * @internal
   */
  protected abstract readonly opened: OpenConnection | undefined;

  /**
   * A record as users see it.
   *
   * @internal
   */
  protected abstract toJob(record: JobRecord): AnyJob;

  /**
   * Makes a changing call on the channel that is for everything but adding and running.
   *
   * @internal
   */
  protected async command<R extends Reply>(
    name: string,
    send: (backend: QueueBackend, call: MutatingCall) => Promise<R>,
  ): Promise<R> {
    return command(await this.use(name), name, send);
  }
}
