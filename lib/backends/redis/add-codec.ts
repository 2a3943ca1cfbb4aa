import type { AddResult, NewJob } from '../../contract/job-intake';
import type { AddJobsItem } from './lua-scripts';

/**
 * What the first job tells for all those that are like it.
 *
 * @internal
 */
export function firstTerms([first]: readonly NewJob[]): string {
  return first === undefined ? '0 0 0 ' : termsOf(first);
}

/** @internal */
export function toAddItem(job: NewJob, first: NewJob): AddJobsItem {
  const { id, name, data } = job;
  const isCommon =
    id === null &&
    job.options === first.options &&
    job.priority === first.priority &&
    job.delay === first.delay &&
    job.lifo === first.lifo &&
    job.timeout === first.timeout &&
    job.expiresIn === first.expiresIn &&
    job.headers === first.headers &&
    job.version === first.version;
  // Ids are anything, so their length tells where they end.
  return { name, data, own: isCommon ? '' : `${Buffer.byteLength(id ?? '')} ${id ?? ''}${termsOf(job)}` };
}

function termsOf(job: NewJob): string {
  const { priority, delay, lifo, options, headers = '' } = job;
  return `${priority} ${delay} ${lifo && priority === 0 ? 1 : 0}${limitsOf(job)}${notesOf(job)} ${headers}${options}`;
}

/** As lua/includes/expiry.lua reads them; nothing for none. */
function limitsOf({ timeout, expiresIn }: NewJob): string {
  return timeout === undefined && expiresIn === undefined ? '' : `:${timeout ?? ''}:${expiresIn ?? ''}`;
}

/** As lua/includes/notes.lua reads them; nothing for none. The headers themselves begin what follows. */
function notesOf({ headers, version }: NewJob): string {
  return headers === undefined && version === undefined
    ? ''
    : `@${version ?? ''}@${headers === undefined ? '' : Buffer.byteLength(headers)}`;
}

/** As lua/commands/add-jobs.lua reads them. */
export function timestampsOf(jobs: readonly NewJob[]): string {
  let text = '';
  jobs.forEach(({ timestamp }, index) => {
    if (timestamp !== undefined) {
      text += `${index + 1}:${timestamp},`;
    }
  });
  return text;
}

/**
 * @param ids - as lua/commands/add-jobs.lua writes them
 * @param duplicates - places of jobs that were stored already, from 1
 *
 * @internal
 */
export function toAddResults(ids: string, duplicates: readonly number[]): AddResult[] {
  const results = idsOf(ids).map((id): AddResult => ({ id, status: 'added' }));
  for (const place of duplicates) {
    results[place - 1]!.status = 'duplicate';
  }
  return results;
}

function idsOf(text: string): string[] {
  if (text.startsWith('[')) {
    return JSON.parse(text) as string[];
  }
  const [first, count] = text.split('+');
  return Array.from({ length: Number(count) }, (_, index) => String(Number(first) + index));
}
