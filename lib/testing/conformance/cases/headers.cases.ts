import assert from 'node:assert/strict';

import type { JobRecord } from '../../../model/job-record';
import type { ContractCase } from '../conformance-case';
import { failure, leaseOf, retry } from '../queue-user';

/** Letters of several bytes, so that what counts bytes for letters is found out. */
const HEADERS = '{"x-tenant":"zwölf ☃","__proto__":"0 0 0 {}"}';

function notesOf(job: JobRecord | null | undefined): unknown[] {
  return [job?.headers, job?.version, job?.options];
}

/** @internal */
export const HEADER_CASES: readonly ContractCase[] = [
  {
    operation: 'addJobs',
    title: 'keeps the headers and the version of each job, whatever the others of the call have',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const options = '{"attempts":3}';
      await user.add(
        { headers: HEADERS, version: 2, options },
        { headers: HEADERS, version: 2, options },
        { options },
        { headers: '{"a":"b"}', options },
        { version: 7, options, lifo: true, timeout: 5 },
        { id: 'own', headers: '{"a":""}', version: 1, expiresIn: 60_000, delay: 300 },
      );

      const jobs = await user.handle.getJobs(['1', '2', '3', '4', '5', 'own']);
      assert.deepEqual(jobs.map(notesOf), [
        [HEADERS, 2, options],
        [HEADERS, 2, options],
        [null, null, options],
        ['{"a":"b"}', null, options],
        [null, 7, options],
        ['{"a":""}', 1, '{}'],
      ]);
      assert.deepEqual(
        [jobs[4]?.timeout, jobs[5]?.expiresIn, await user.ids('delayed')],
        [5, 60_000, ['own']],
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'JOB-04 leaves the headers and the version of a job that is stored already',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', headers: '{"a":"1"}', version: 1 }, { id: 'plain' });
      const before = [await user.job('a'), await user.job('plain')];
      await user.add(
        { id: 'a', headers: '{"a":"2"}', version: 2 },
        { id: 'plain', headers: '{"a":"2"}', version: 2 },
      );

      assert.deepEqual([await user.job('a'), await user.job('plain')], before);
    },
  },
  {
    operation: 'claimJobs',
    title: 'tells the headers and the version of the jobs that it hands out, at each attempt',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', headers: HEADERS, version: 3 }, { id: 'b' });
      const first = await user.claim(2);
      await user.settle([retry(leaseOf(first, 'a'))]);
      const second = await user.claim(1);
      await user.settle([failure(leaseOf(second, 'a'))]);

      assert.deepEqual([...first.jobs, ...second.jobs, await user.job('a')].map(notesOf), [
        [HEADERS, 3, '{}'],
        [null, null, '{}'],
        [HEADERS, 3, '{}'],
        [HEADERS, 3, '{}'],
      ]);
    },
  },
];
