import type { Observable } from 'rxjs';

import type { ProgressUpdate } from '../contract/job-progress';
import type { Refusal } from '../contract/refusal';
import { refusalError } from '../contract/refusal';
import type { JobRecord } from '../model/job-record';
import type { JobState } from '../model/job-state';
import type { QueueEvent } from '../model/queue-event';
import { EventStream } from './events/event-stream';
import type { Job, JobOwner } from './job';
import { CallBatcher } from './runtime/call-batcher';
import type { CallTerms } from './runtime/call-channel';
import { endsWithin } from './runtime/wait';
import type { ConnectionOptions, OpenConnection, QueueConnection } from './runtime/queue-connection';

/**
 * Milliseconds after which a call that nobody repeats is given up.
 *
 * @internal
 */
export const CALL_DEADLINE = 5_000;

/**
 * Terms of a call that is given up after five seconds.
 *
 * @internal
 */
export function termsOf(name: string): CallTerms {
  return { name, validFor: CALL_DEADLINE, reissue: 'once' };
}

/**
 * The owner of the jobs of one queue or worker object: reads them, stores their progress, listens to their events.
 *
 * @internal
 */
export class JobGateway implements JobOwner {
  readonly #stream: EventStream;
  readonly #progress: CallBatcher<ProgressUpdate, Refusal | null>;

  constructor(
    private readonly connection: QueueConnection,
    options: ConnectionOptions,
    private readonly listener: {
      onProgress(job: Job, progress: unknown): void;
      onError(error: Error): void;
    },
  ) {
    this.#stream = new EventStream(connection.queueName, options, (error) => listener.onError(error));
    this.#progress = new CallBatcher(
      async (updates) => {
        const { control, backend } = await this.use('updateProgress');
        const reply = await control.call(termsOf('updateProgress'), (call) =>
          backend.updateProgress({ updates }, call),
        );
        return reply.refusals;
      },
      (update) => update.progress.length,
      () => connection.isServer,
    );
  }

  get queueName(): string {
    return this.connection.queueName;
  }

  get events$(): Observable<QueueEvent> {
    return this.#stream.events$;
  }

  /**
   * The open handle, once every stream that was subscribed before sees what the call will do.
   *
   * @param patience - milliseconds for which a stream whose store does not answer may hold the call up
   */
  async use(call: string, patience = CALL_DEADLINE): Promise<OpenConnection> {
    const open = this.connection.opened ?? (await this.connection.use(call));
    this.connection.refuseWhenClosed(call);
    const positioned = this.#stream.positioned();
    if (positioned !== undefined) {
      await endsWithin(this.connection.clock, positioned, patience);
    }
    return open;
  }

  async updateProgress(id: string, progress: string): Promise<void> {
    const refusal = await this.#progress.submit({ id, progress });
    if (refusal !== null) {
      throw refusalError(refusal, id, this.queueName);
    }
  }

  onProgress(job: Job, progress: unknown): void {
    this.listener.onProgress(job, progress);
  }

  async fetchState(id: string): Promise<JobState | null> {
    const { backend } = await this.use('getState');
    const [state] = await backend.getStates([id]);
    return state ?? null;
  }

  async fetchRecord(id: string): Promise<JobRecord | null> {
    const [record] = await this.fetchRecords([id]);
    return record ?? null;
  }

  async fetchRecords(ids: readonly string[]): Promise<(JobRecord | null)[]> {
    const { backend } = await this.use('getJob');
    return backend.getJobs(ids);
  }

  /**
   * Waits for progress that is on its way, then completes the streams.
   *
   * @param patience - milliseconds that the progress may take
   */
  async close(patience = Infinity): Promise<void> {
    await endsWithin(this.connection.clock, this.#progress.settled(), patience);
    await this.#stream.close();
  }
}
