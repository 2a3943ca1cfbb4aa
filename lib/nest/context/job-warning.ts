import { Logger } from '@nestjs/common';

import type { Job } from '../../engine/job';
import { asError } from '../../engine/runtime/safe-emitter';
import { JobNotFoundError } from '../../model/errors/job-not-found.error';

/**
 * The log of Nest under the name of a job: `email:42`.
 *
 * @internal
 */
export function nestLoggerOf({ queueName, id }: Job): Logger {
  return new Logger(`${queueName}:${id}`);
}

/**
 * Tells in the log, once, that something was not stored with a job. Not of one that is gone by then: it took that along.
 *
 * @internal
 */
export class JobWarning {
  #hasWarned = false;

  /** @param what - such as `progress` */
  constructor(
    private readonly job: Job,
    private readonly what: string,
  ) {}

  notWritten(error: unknown): void {
    if (error instanceof JobNotFoundError || this.#hasWarned) {
      return;
    }
    this.#hasWarned = true;
    nestLoggerOf(this.job).warn(`${this.what} was not written: ${asError(error).message}`);
  }
}
