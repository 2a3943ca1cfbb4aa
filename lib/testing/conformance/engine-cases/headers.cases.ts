import assert from 'node:assert/strict';

import type { JobHeaders } from '../../../model/job-headers';
import type { EngineScenario } from './engine-scenario';

/** Headers have no prototype, which a comparison would heed. */
function plain(headers: JobHeaders | undefined): [string, string][] {
  return Object.entries(headers ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
}

/**
 * Headers of jobs.
 *
 * @internal
 */
export const headerCases: readonly EngineScenario[] = [
  {
    title: 'headers travel with the job to its handler, at each attempt, and are read with it',
    async run({ queue, worker, until }) {
      const emails = queue();
      const headers = { 'X-Tenant-Id': '7', empty: '', left: undefined };

      const job = await emails.add('send', {}, { headers, attempts: 2 });
      const plainJob = await emails.add('plain', {});
      const ran: unknown[] = [];
      worker(({ name, headers: given, attemptsMade }) => {
        ran.push([name, plain(given)]);
        if (name === 'send' && attemptsMade === 0) throw new Error('once');
      });
      await until('all attempts have ended', () => ran.length === 3);

      const expected = [
        ['empty', ''],
        ['x-tenant-id', '7'],
      ];
      assert.deepEqual(
        ran.sort((left, right) => (String(left) < String(right) ? -1 : 1)),
        [
          ['plain', []],
          ['send', expected],
          ['send', expected],
        ],
      );
      assert.deepEqual(plain(job.headers), expected);
      assert.deepEqual(plain((await emails.getJob(job.id))?.headers), expected);
      assert.deepEqual(plain(plainJob.headers), []);
      assert.ok(Object.isFrozen(job.headers) && Object.isFrozen(plainJob.headers));
      assert.equal(JSON.stringify(job.opts), '{"attempts":2}');
    },
  },
  {
    title: 'each job of addBulk has headers of its own',
    async run({ queue }) {
      const emails = queue();

      const jobs = await emails.addBulk([
        { name: 'send', data: {}, opts: { headers: { a: '1' } } },
        { name: 'send', data: {}, opts: { headers: {} } },
        { name: 'send', data: {}, opts: { headers: JSON.parse('{"__proto__":"x"}') as object } },
      ]);

      const stored = await Promise.all(jobs.map(({ id }) => emails.getJob(id)));
      assert.deepEqual(
        stored.map((job) => plain(job?.headers)),
        [[['a', '1']], [], [['__proto__', 'x']]],
      );
      assert.equal(stored[1]?.headers.constructor, undefined);
    },
  },
  {
    title: 'headers that cannot be used are refused, and nothing is stored',
    async run({ queue }) {
      const emails = queue();
      const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`h${index}`, '']));

      for (const headers of [
        [],
        'x: 1',
        null,
        { 'x y': '1' },
        { '': '1' },
        { ü: '1' },
        { ['x'.repeat(129)]: '1' },
        { x: 1 },
        { x: null },
        { x: '1', X: '2' },
        { x: 'ü'.repeat(5_000) },
        many,
      ]) {
        await assert.rejects(emails.add('send', {}, { headers: headers as never }), {
          code: 'LANE_BAD_HEADERS',
        });
      }
      await assert.rejects(
        emails.addBulk([{ name: 'send', data: {}, opts: { headers: { x: 1 } as never } }]),
        { code: 'LANE_BAD_JOBS' },
      );

      assert.equal(await emails.count(), 0);
    },
  },
];
