/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { Observable, filter } from 'rxjs';

import type { JobRecord } from '../model/job-record';
import type { JobState } from '../model/job-state';
import type { EventGap, QueueEvent } from '../model/queue-event';
import { JobView } from './job-view';

/**
 * What can be asked of a job: where it stands now, and what comes.
 *
 * @internal
 */
export abstract class JobGetters<Data = any, Result = any, Name extends string = string> extends JobView<
  Data,
  Result,
  Name
> {
  /** Where the job stands now, or `unknown` when the queue does not hold it (any more). */
  async getState(): Promise<JobState | 'unknown'> {
    return (await this.owner.fetchState(this.id)) ?? 'unknown';
  }

  /** Whether the job ended well. */
  async isCompleted(): Promise<boolean> {
    return (await this.getState()) === 'completed';
  }

  /** Whether the job failed for good. */
  async isFailed(): Promise<boolean> {
    return (await this.getState()) === 'failed';
  }

  /** Whether the job waits for its time. */
  async isDelayed(): Promise<boolean> {
    return (await this.getState()) === 'delayed';
  }

  /** Whether a worker has the job. */
  async isActive(): Promise<boolean> {
    return (await this.getState()) === 'active';
  }

  /** Whether the job is ready to run, with a priority or without. */
  async isWaiting(): Promise<boolean> {
    const state = await this.getState();
    return state === 'waiting' || state === 'prioritized';
  }

  /** Whether the job waits for its children, in a flow that a client of BullMQ made. */
  async isWaitingChildren(): Promise<boolean> {
    return (await this.getState()) === 'waiting-children';
  }

  /**
   * Progress of the job: the last known value first, then each further one. Completes when the job ends, in any way,
   * or is not there (any more); never errors.
   */
  get progress$(): Observable<unknown> {
    return new Observable((subscriber) => {
      let early: unknown[] | undefined = [];
      let ended = false;
      // Listening comes before reading: an end between the two is not lost.
      const listening = this.owner.events$.pipe(filter((event) => isAbout(event, this.id))).subscribe({
        next: (event) => {
          if (event.type === 'progress') {
            if (early === undefined) {
              subscriber.next(event.data);
            } else {
              early.push(event.data);
            }
          } else if (isEnd(event)) {
            ended = true;
            if (early === undefined) {
              subscriber.complete();
            }
          }
        },
        complete: () => subscriber.complete(),
      });
      const begin = (known: unknown[], over: boolean): void => {
        const values = early!.length > 0 ? early! : known;
        early = undefined;
        values.forEach((value) => subscriber.next(value));
        if (over || ended) {
          subscriber.complete();
        }
      };
      this.owner.fetchRecord(this.id).then(
        (record) => begin(record?.progress == null ? [] : [JSON.parse(record.progress)], isOver(record)),
        // What was is unknown, what comes is not: the events go on.
        () => begin([], false),
      );
      return listening;
    });
  }
}

function isOver(record: JobRecord | null): boolean {
  return record === null || record.state === 'completed' || record.state === 'failed';
}

function isEnd({ type }: QueueEvent | EventGap): boolean {
  return type === 'completed' || type === 'failed' || type === 'removed';
}

function isAbout(event: QueueEvent | EventGap, jobId: string): boolean {
  return 'jobId' in event && event.jobId === jobId;
}
