// A queue of a definition checks names, data and results of its jobs together.

import {
  type BulkJob,
  defineQueue,
  job,
  type Job,
  type JobOf,
  Queue,
  type QueueOf,
  type StandardSchema,
  Worker,
} from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';
import { of } from 'rxjs';
import * as z from 'zod';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function exactly<Expected>(): <Actual>(
  actual: Actual,
  ...no: Same<Actual, Expected> extends true ? [] : [never]
) => void;

interface Letter {
  to: string;
  template?: string;
}
interface Receipt {
  messageId: string;
}
const Digest = z.object({ userId: z.string(), day: z.coerce.date(), limit: z.number().default(10) });

export const Email = defineQueue('email', {
  send: job<Letter, Receipt>({ attempts: 3, timeout: '30s' }),
  digest: job({ schema: Digest, version: 2, upcast: (data: object, from) => ({ ...data, from }) }),
  report: job<typeof Digest, string>({ schema: Digest, validate: 'run' }),
  anything: job(),
});

// NA-3-01: types of data and result, from type arguments or from a schema
exactly<Job<Letter, Receipt, 'send'>>()({} as JobOf<typeof Email, 'send'>);
exactly<Job<z.output<typeof Digest>, unknown, 'digest'>>()({} as JobOf<typeof Email, 'digest'>);
exactly<string | null>()(({} as JobOf<typeof Email, 'report'>).returnvalue);
const send: 'send' = Email.jobs.send.name;
void send;

declare const email: QueueOf<typeof Email>;

// NA-3-03, NA-3-16: add
const letter = await email.add('send', { to: 'a@example.com' }, { delay: '1m' });
exactly<Job<Letter, Receipt, 'send'>>()(letter);
await email.add('digest', { userId: 'u1', day: '2026-01-01' });
await email.add('anything', 7);
// @ts-expect-error -- no such name
await email.add('sned', { to: 'a@example.com' });
// @ts-expect-error -- the data of another name
await email.add('send', { userId: 'u1' });
// @ts-expect-error -- what the data needs is missing
await email.add('digest', { day: '2026-01-01' });
// @ts-expect-error -- no such option
await email.add('send', { to: 'a@example.com' }, { delai: 1 });

// addBulk
await email.addBulk([
  { name: 'send', data: { to: 'a@example.com' } },
  { name: 'digest', data: { userId: 'u1', day: 0 }, opts: { priority: 1 } },
]);
// @ts-expect-error -- no such name
await email.addBulk([{ name: 'sned', data: { to: 'a@example.com' } }]);
// @ts-expect-error -- the data of another name
await email.addBulk([{ name: 'send', data: { userId: 'u1', day: 0 } }]);

// NA-7-07: ingest, of all that can be read from
email.ingest([{ name: 'send', data: { to: 'a@example.com' } }]);
email.ingest(of({ name: 'digest', data: { userId: 'u1', day: 0 } } as const));
email.ingest(generated(), { strict: true }).subscribe(({ jobs, refusals }) => {
  exactly<readonly JobOf<typeof Email>[]>()(jobs);
  const refused: 'send' | 'digest' | 'report' | 'anything' | undefined = refusals[0]?.entry.name;
  void refused;
});
async function* generated() {
  await Promise.resolve();
  yield { name: 'send', data: { to: 'a@example.com' } } as const;
}
// @ts-expect-error -- no such name
email.ingest([{ name: 'sned', data: { to: 'a@example.com' } }]);
// @ts-expect-error -- the data of another name
email.ingest(of({ name: 'send', data: { userId: 'u1', day: 0 } } as const));
// @ts-expect-error -- nothing to read from
email.ingest({ name: 'send', data: { to: 'a@example.com' } });
// @ts-expect-error -- no such option
email.ingest([], { batch: 7 });

// what is read is told apart by its name
const read = await email.getJob('1');
if (read?.name === 'send') {
  exactly<Letter>()(read.data);
  const receipt: Receipt = await read.finished();
  void receipt;
}
// @ts-expect-error -- it may be a job of any name
void read?.data.to;
for (const waiting of await email.getWaiting()) {
  const name: 'send' | 'digest' | 'report' | 'anything' = waiting.name;
  void name;
}

// NA-3-04: run
const receipt: Receipt = await email.run('send', { to: 'a@example.com' }, { timeout: '1m' });
void receipt;
// @ts-expect-error -- the result of another name
const wrong: number = await email.run('send', { to: 'a@example.com' });
void wrong;
// @ts-expect-error -- no such name
await email.run('sned', { to: 'a@example.com' });
// @ts-expect-error -- options of the job stand under "job"
await email.run('send', { to: 'a@example.com' }, { attempts: 3 });

// A typed queue is a queue.
const any: Queue = email;
void any;
const made: QueueOf<typeof Email> = new Queue(Email, { backend: memory() });
void made;
await new Queue(Email, { backend: memory() }).add('send', { to: 'a@example.com' });
// @ts-expect-error -- the data of another name
await new Queue(Email, { backend: memory() }).add('send', { userId: 'u1' });

// A worker of a definition is given its jobs.
new Worker(
  Email,
  async (each) => {
    if (each.name === 'send') {
      return { messageId: each.data.to };
    }
    return each.name === 'report' ? each.data.userId : undefined;
  },
  { backend: memory() },
);
new Worker(
  Email,
  (each) => {
    // @ts-expect-error -- the data of another name
    void (each.name === 'send' && each.data.userId);
    return undefined;
  },
  { backend: memory() },
);

// NA-3-06: untyped queues stay as they were
declare const untyped: Queue;
const first = await untyped.add('one', { a: 1 });
exactly<Job>()(first);
const either: [typeof first, typeof first] = [first, await untyped.add('two', { b: 1 })];
void either;
declare const letters: Queue<Letter, Receipt, 'send' | 'resend'>;
const one = await letters.add('send', { to: 'a@example.com' });
exactly<Job<Letter, Receipt, 'send' | 'resend'>>()(one);
const bulk: BulkJob<Letter, 'send' | 'resend'>[] = [];
await letters.addBulk(bulk);
// @ts-expect-error -- no such name
await letters.add('sned', { to: 'a@example.com' });
// @ts-expect-error -- no such data
await letters.add('send', {});
void (async <Data,>(queue: Queue<Data>, data: Data): Promise<Job<Data>> => queue.add('any', data));

// what job() takes
job<Letter>({ schema: z.object({ to: z.string() }) });
// @ts-expect-error -- the schema makes something else
job<Letter>({ schema: z.object({ too: z.string() }) });
// @ts-expect-error -- no schema
job({ schema: { parse: () => 1 } });
// @ts-expect-error -- no such option
job({ attemps: 1 });
// @ts-expect-error -- an id cannot be a default
job({ jobId: 'once' });
// @ts-expect-error -- no such time
job({ validate: 'always' });
// @ts-expect-error -- no such option
defineQueue('email', { send: job() }, { backend: memory() });
// @ts-expect-error -- not made by job()
defineQueue('email', { send: {} });

declare const handMade: StandardSchema<{ n: string }, { n: number }>;
export const Numbers = defineQueue('numbers', { take: job({ schema: handMade }) });
declare const numbers: QueueOf<typeof Numbers>;
exactly<{ n: number }>()((await numbers.getWaiting())[0]!.data);
await numbers.add('take', { n: '1' });
// @ts-expect-error -- what goes in is a text
await numbers.add('take', { n: 1 });
