import type { AddJobsReply, NewJob } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import { numberedStep } from '../numbered-step';
import type { Scene, Step } from '../scene';
import type { StormOperation } from './operation';

/** Enough for orders to matter; with more of them, looking at all after each step would take the time. */
const fullHouse = 40;
const mostInAll = 150;

/** Ids of callers' own: few, so that they come again, some that the queue would count, some with odd letters. */
const ownIds = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  '3',
  '8',
  '21',
  'constructor',
  '__proto__',
  'zwölf ☃',
  'x y',
  '0-0',
] as const;

const names = ['mail', 'sms', '', '__proto__', 'ü:☃'] as const;

const payloads = [
  '{}',
  'null',
  '"text"',
  '[1,2,{"a":"ü ☃ \\u0000"}]',
  '{"__proto__":{"polluted":1}}',
  '0.1',
] as const;

/** What is kept of a job counts where no worker says it. */
const optionTexts = [
  '{}',
  '{}',
  '{"attempts":3}',
  '{"attempts":3}',
  '{"removeOnFail":true}',
  '{"removeOnFail":{"age":1.5,"count":3,"limit":2}}',
] as const;

const plainJob: NewJob = {
  id: null,
  name: '',
  data: '{}',
  options: '{}',
  priority: 0,
  delay: 0,
  lifo: false,
};

export const ADDING: readonly StormOperation[] = [
  {
    name: 'add one',
    operation: 'addJobs',
    weight: 10,
    always: true,
    plan: (scene, random) => addStep(scene, random, 1),
  },
  {
    name: 'add many',
    operation: 'addJobs',
    weight: 5,
    plan: (scene, random) => addStep(scene, random, random.integer(2, 12)),
  },
];

function addStep(scene: Scene, random: SeededRandom, count: number): Step | null {
  const caller = scene.any(random, scene.callersOf('producer'));
  if (caller === undefined || isFull(scene)) return null;
  const jobs = Array.from({ length: count }, () => newJob(scene, random));
  return numberedStep(scene, random, {
    caller,
    channels: 'add',
    operation: 'addJobs',
    items: jobs,
    call: (handle, call, items) => handle.addJobs({ jobs: items.map(complete) }, call),
    learn(reply, later, items) {
      const { results, now } = reply as AddJobsReply;
      results.forEach(({ id, status }, index) => {
        if (status === 'added') later.stored(id, complete(items[index]!), now);
      });
    },
  });
}

function isFull({ seen: { counts }, jobs }: Scene): boolean {
  return jobs.length - counts.completed - counts.failed > fullHouse || jobs.length > mostInAll;
}

/** Says no more than it has to. */
function newJob(scene: Scene, random: SeededRandom): Partial<NewJob> {
  const job: NewJob = {
    id: random.next() < 0.3 ? random.pick(ownIds) : null,
    name: random.pick(names),
    data: random.next() < 0.005 ? JSON.stringify('x'.repeat(400_000)) : random.pick(payloads),
    options: random.pick(optionTexts),
    priority: random.next() < 0.35 ? random.pick([1, 1, 2, 2, 3, 2_097_151]) : 0,
    delay: random.next() < 0.25 ? random.pick([1, 2, 10, 10, 0.5, 500, 5_000, 60_000, 3_600_000]) : 0,
    lifo: random.next() < 0.2,
    ...(random.next() < 0.1 && { timeout: random.pick([1, 500, 60_000]) }),
    ...(random.next() < 0.15 && { expiresIn: random.pick([1, 1, 10, 10, 500, 5_000, 60_000, 3_600_000]) }),
    ...(random.next() < 0.1 && { headers: random.pick(['{"a":"1"}', '{"__proto__":"ü ☃","a":""}']) }),
    ...(random.next() < 0.05 && { version: random.pick([1, 12]) }),
    ...(random.next() < 0.1 && { timestamp: scene.now + random.pick([-60_000, -10, 1, 5_000]) }),
  };
  const said = Object.entries(job).filter(([key, value]) => value !== plainJob[key as keyof NewJob]);
  return Object.fromEntries(said);
}

function complete(job: Partial<NewJob>): NewJob {
  return { ...plainJob, ...job };
}
