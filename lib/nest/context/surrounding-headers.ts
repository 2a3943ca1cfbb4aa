import type { HeadersInput, JobHeaders } from '../../model/job-headers';
import { mergeHeaders, NO_HEADERS, parseHeaders } from '../../model/job-headers';
import { HeaderCaptureError } from '../errors/header-capture.error';
import { currentJob } from './current-job';

/**
 * Headers that jobs have without being given them.
 *
 * @internal
 */
export interface SurroundingHeaders {
  /** Names of headers that jobs take over from the one that adds them. */
  readonly propagate: readonly string[];
  readonly capture: (() => HeadersInput | undefined) | undefined;
}

/**
 * The headers that a job takes from where it is added: those of the current job that are handed on, and over them
 * those that are captured, which know of the present moment.
 *
 * @throws HeaderCaptureError when `capture` throws or returns no headers
 *
 * @internal
 */
export function surroundingHeaders({ propagate, capture }: SurroundingHeaders): JobHeaders {
  const handedOn = headersOfCurrentJob(propagate);
  return capture === undefined ? handedOn : mergeHeaders(handedOn, captured(capture));
}

function headersOfCurrentJob(names: readonly string[]): JobHeaders {
  const headers = currentJob()?.headers ?? NO_HEADERS;
  if (headers === NO_HEADERS) {
    return NO_HEADERS;
  }
  const present = names.filter((name) => name in headers).map((name) => [name, headers[name]!] as const);
  return parseHeaders(Object.fromEntries(present));
}

function captured(capture: () => HeadersInput | undefined): JobHeaders {
  try {
    const headers: unknown = capture();
    return headers === undefined ? NO_HEADERS : parseHeaders(headers);
  } catch (error) {
    throw new HeaderCaptureError(error);
  }
}
