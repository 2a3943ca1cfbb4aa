import { inspect } from 'node:util';

import type { Logger, LogLevel } from '@nestjs/common';

import type { Job } from '../../engine/job';
import type { JobLog } from './job-context';
import { JobWarning, nestLoggerOf } from './job-warning';

/**
 * Logger of one job: what it is told is a line of Nest's log, and a row of the job's.
 *
 * @internal
 */
export class JobLogger implements JobLog {
  readonly #job: Job;
  readonly #nest: Logger;
  readonly #warning: JobWarning;

  constructor(job: Job) {
    this.#job = job;
    this.#nest = nestLoggerOf(job);
    this.#warning = new JobWarning(job, 'the log of the job');
  }

  log(message: unknown, ...more: unknown[]): void {
    this.#nest.log(message, ...more);
    this.#row('log', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.#nest.error(message, ...more);
    this.#row('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.#nest.warn(message, ...more);
    this.#row('warn', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.#nest.debug(message, ...more);
    this.#row('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.#nest.verbose(message, ...more);
    this.#row('verbose', message, more);
  }

  #row(level: LogLevel, message: unknown, more: readonly unknown[]): void {
    const text = [message, ...more].map(textOf).join(' ');
    this.#job
      .log(level === 'log' ? text : `[${level}] ${text}`)
      .catch((error: unknown) => this.#warning.notWritten(error));
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof Error ? (value.stack ?? String(value)) : inspect(value, { breakLength: Infinity });
}
