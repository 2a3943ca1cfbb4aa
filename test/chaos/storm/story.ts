import assert from 'node:assert/strict';

import type { JobState, StoredEvent } from 'nestjs-lane/contract';

import { allJobs, type Observation } from './observation';

/** Where a job stands by its events; a new one is `added` until its next event, in the same step. */
type Chapter = 'added' | 'ready' | 'active' | 'delayed' | 'completed' | 'failed';

type StoryEvent = Omit<StoredEvent, 'id'>;

const chapterOf: Record<Exclude<JobState, 'waiting-children'>, Chapter> = {
  waiting: 'ready',
  prioritized: 'ready',
  active: 'active',
  delayed: 'delayed',
  completed: 'completed',
  failed: 'failed',
};

/** What an event opens, and after which chapters. */
const turns: Partial<
  Record<StoredEvent['event'], { readonly after: readonly Chapter[]; readonly opens: Chapter }>
> = {
  waiting: { after: ['added', 'active', 'delayed', 'completed', 'failed'], opens: 'ready' },
  active: { after: ['ready'], opens: 'active' },
  delayed: { after: ['added', 'active', 'delayed'], opens: 'delayed' },
  completed: { after: ['active'], opens: 'completed' },
  failed: { after: ['active', 'ready', 'delayed'], opens: 'failed' },
};

/** What an event that names the state before it means by that. */
const chapterOfPrev: Partial<Record<string, Chapter>> = { ...chapterOf, waiting: 'ready' };

/**
 * What the events tell of every job, held against where the jobs are: each event follows from the one before it, so
 * that no job ends twice, and none gets anywhere without an event.
 */
export class Story {
  readonly #chapters = new Map<string, Chapter>();
  readonly #due: Map<string, number>;
  /** Jobs that are not stored any more. */
  removed = 0;

  /** @param due - is kept up to date with when jobs come due, by id */
  constructor(due: Map<string, number>) {
    this.#due = due;
  }

  /**
   * Takes in what a step has brought.
   *
   * @param vanished - how many jobs it has removed without events
   */
  continue(seen: Observation, vanished: number): void {
    for (const event of seen.events) this.#read(event);
    this.#compare(seen, vanished);
  }

  #read(event: StoryEvent): void {
    const { jobId } = event;
    if (jobId === undefined) return;
    const before = this.#chapters.get(jobId);
    const told = JSON.stringify(event);
    if (event.event === 'added') {
      assert.ok(before === undefined, `${told} came though the job is ${before}`);
      this.#chapters.set(jobId, 'added');
      return;
    }
    assert.ok(before !== undefined, `${told} came though there is no such job`);
    if (event.event === 'removed') {
      this.#drop(jobId);
      return;
    }
    const turn = turns[event.event];
    if (turn === undefined) return;
    assert.ok(turn.after.includes(before), `${told} came though the job was ${before}`);
    const named = event.prev === undefined ? before : chapterOfPrev[event.prev];
    assert.equal(named, before, `${told} came though the job was ${before}`);
    this.#chapters.set(jobId, turn.opens);
    if (event.event === 'delayed') this.#due.set(jobId, event.delay!);
    else this.#due.delete(jobId);
  }

  #compare(seen: Observation, vanished: number): void {
    const stored = new Set<string>();
    for (const { id, state } of allJobs(seen)) {
      assert.ok(!stored.has(id), `job ${JSON.stringify(id)} is in two places`);
      stored.add(id);
      const told = this.#chapters.get(id);
      const is = chapterOf[state as keyof typeof chapterOf];
      assert.equal(told, is, `job ${JSON.stringify(id)} is ${state}, but by its events it is ${told}`);
    }
    let unexplained = 0;
    for (const [id, chapter] of this.#chapters) {
      if (stored.has(id)) continue;
      // Retention removes what has ended.
      const hasEnded = chapter === 'completed' || chapter === 'failed';
      if (!hasEnded || vanished > 0) unexplained += 1;
      this.#drop(id);
    }
    assert.equal(unexplained, vanished, 'jobs that are gone without an event, though they had not ended');
  }

  #drop(id: string): void {
    this.#chapters.delete(id);
    this.#due.delete(id);
    this.removed += 1;
  }
}
