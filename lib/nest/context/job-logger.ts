import { inspect } from 'node:util';

import type { LogLevel } from '@nestjs/common';
import { Logger } from '@nestjs/common';

import type { Job } from '../../engine/job';
import { asError } from '../../engine/runtime/safe-emitter';
import { JobNotFoundError } from '../../model/errors/job-not-found.error';
import type { JobLog } from './job-context';

/**
 * Logger of one job: what it is told is a line of Nest's log, and a row of the job's.
 *
 * @internal
 */
export class JobLogger implements JobLog {
  readonly #job: Job;
  readonly #nest: Logger;
  #hasWarned = false;

  constructor(job: Job) {
    this.#job = job;
    this.#nest = new Logger(`${job.queueName}:${job.id}`);
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
      .catch((error: unknown) => this.#notWritten(error));
  }

  /** A job that is removed when it ends takes its log along. */
  #notWritten(error: unknown): void {
    if (error instanceof JobNotFoundError || this.#hasWarned) {
      return;
    }
    this.#hasWarned = true;
    this.#nest.warn(`the log of the job was not written: ${asError(error).message}`);
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof Error ? (value.stack ?? String(value)) : inspect(value, { breakLength: Infinity });
}
