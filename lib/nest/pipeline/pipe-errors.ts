import type { Job } from '../../engine/job';
import { asError } from '../../engine/runtime/safe-emitter';
import { isUnrecoverable, saysLimited, saysMoved } from '../../engine/worker/control-errors';
import { outcomeOf } from '../../engine/worker/outcome-values';
import { InvalidDataError } from '../../model/errors/invalid-data.error';
import { issuesOfThrown } from '../../model/validation-issues';

/** Lowest status of exceptions that say that the fault is not with what was given. */
const SERVER_ERROR = 500;

const thrownByPipes = new WeakSet<object>();

/**
 * Whether something thrown says by itself what becomes of the job, rather than being an error.
 *
 * @internal
 */
export function saysWhatBecomes(thrown: unknown): boolean {
  const error = asError(thrown);
  return outcomeOf(thrown) !== undefined || saysMoved(error) || saysLimited(error);
}

/**
 * Notes that a pipe has thrown. Interceptors and filters see the very error; what becomes of the job is said when
 * nobody has replaced it.
 *
 * @returns what is to be thrown: the error, or one in place of what is none
 *
 * @internal
 */
export function noteThrownByPipe(thrown: unknown): unknown {
  if (saysWhatBecomes(thrown) || isUnrecoverable(asError(thrown)) || isServerError(thrown)) {
    return thrown;
  }
  const error = typeof thrown === 'object' && thrown !== null ? thrown : asError(thrown);
  thrownByPipes.add(error);
  return error;
}

/**
 * The failure that an error of a pipe is: the data of the job is invalid. Other errors stay what they are.
 *
 * @internal
 */
export function failureOf(thrown: unknown, { name, queueName }: Job): unknown {
  return typeof thrown === 'object' && thrown !== null && thrownByPipes.has(thrown)
    ? new InvalidDataError(name, queueName, issuesOfThrown(thrown), { cause: thrown })
    : thrown;
}

function isServerError(thrown: unknown): boolean {
  try {
    const { getStatus } = Object(thrown) as { getStatus?: unknown };
    return typeof getStatus === 'function' && Number(getStatus.call(thrown)) >= SERVER_ERROR;
  } catch {
    return false;
  }
}
