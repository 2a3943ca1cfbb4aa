import assert from 'node:assert/strict';

import { memory } from 'nestjs-lane/memory';

import { startRedisUnderTest, type RedisUnderTest } from '../../support/redis/redis-by-clock';
import type { StoredKeys } from '../../support/redis/stored-keys';
import { expectInOrder } from './checks';
import { Ending } from './ending';
import { observe, type Observation } from './observation';
import { enterStep } from './operations/callers';
import { Scene, type Step } from './scene';
import { Side, type Answer } from './side';
import { expectKnownKeys, expectNothingElseLeft } from './stored-keys';
import { Story } from './story';

const queueName = 'storm';

/** Steps from one look at the stored keys to the next. */
const keysEvery = 20;

/** Makes up the next step from what is known; `null` at the end. */
export type NextStep = (scene: Scene) => Step | null;

/** How a storm went. */
export interface StormReport {
  /** The steps that were taken, up to the one that went wrong. */
  readonly steps: readonly Step[];
  /** What all steps did, those of the beginning and of the end included. */
  readonly texts: readonly string[];
  readonly failure: Error | undefined;
  /** Whether all steps were taken, and the end alone went wrong. */
  readonly isEndWrong: boolean;
  /** Jobs that were added. */
  readonly added: number;
}

/** How closely a storm is looked at. */
export interface StormTerms {
  /** Whether the stores are compared after each step; else once, after the last. Default: `true`. */
  readonly isClose?: boolean;
  /** Whether every job is brought to its own end, when all steps are taken. Default: `true`. */
  readonly hasEnd?: boolean;
}

/** Takes steps on memory and on Redis, and compares what both answer, store and tell. */
export async function runStorm(
  next: NextStep,
  { isClose = true, hasEnd = true }: StormTerms = {},
): Promise<StormReport> {
  const underTest = await startRedisUnderTest();
  const storm = new Storm(underTest, isClose);
  const { scene, texts } = storm;
  const steps: Step[] = [];
  let failure: Error | undefined;
  let isEndWrong = false;
  try {
    await storm.begin();
    for (let step = next(scene); step !== null; step = next(scene)) {
      steps.push(step);
      await storm.take(step);
    }
    await storm.compare();
    isEndWrong = true;
    if (hasEnd) await storm.end();
    isEndWrong = false;
  } catch (error) {
    failure = error as Error;
  } finally {
    await storm.close();
    await underTest.stop();
  }
  return { steps, texts, failure, isEndWrong, added: scene.added };
}

/** Steps that were taken before, those that have no caller now left out. */
export function again(steps: readonly Step[]): NextStep {
  let at = 0;
  return (scene) => {
    while (at < steps.length) {
      const step = steps[at++]!;
      if (step.caller === undefined || scene.has(step.caller)) return step;
    }
    return null;
  };
}

class Storm {
  readonly texts: string[] = [];
  readonly scene: Scene;
  readonly #memory: Side;
  readonly #redis: Side;
  readonly #keys: StoredKeys;
  readonly #story: Story;

  /** What memory has told since the last comparison. */
  readonly #events: Observation['events'] = [];

  constructor(
    private readonly underTest: RedisUnderTest,
    private readonly isClose: boolean,
  ) {
    const { backend, clock } = underTest;
    this.#memory = new Side('memory', memory({ clock }), queueName);
    this.#redis = new Side('redis', backend, queueName);
    this.#keys = underTest.keysOf(queueName);
    this.scene = new Scene(clock.now());
    this.#story = new Story(this.scene.due);
  }

  async begin(): Promise<void> {
    for (const role of ['worker', 'producer', 'worker', 'worker', 'producer'] as const) {
      await this.take(enterStep(this.scene.newCaller(role)));
    }
  }

  async take(step: Step): Promise<Answer> {
    const { scene } = this;
    this.texts.push(step.text);
    if (step.advance !== undefined) {
      await this.underTest.advance(step.advance);
      scene.now = this.underTest.clock.now();
    }
    if (step.dropsEvents) await this.compare();
    scene.vanished = 0;
    const answer = await this.#memory.ask(step.act);
    assert.deepEqual(await this.#redis.ask(step.act), answer, 'Redis (+) answers otherwise than memory (-)');
    step.learn?.(answer, scene);
    if (step.dropsEvents) {
      await Promise.all([this.#memory.startOverWithEvents(), this.#redis.startOverWithEvents()]);
    }
    await this.#look();
    if (this.isClose) await this.compare();
    return answer;
  }

  async end(): Promise<void> {
    await new Ending(this.scene, (step) => this.take(step)).run();
    await this.compare();
    const { seen, added } = this.scene;
    const { completed, failed, ...others } = seen.counts;
    const unfinished = Object.values(others).reduce((sum, count) => sum + count, 0);
    assert.equal(unfinished, 0, 'jobs that have not ended');
    assert.equal(completed + failed + this.#story.removed, added, 'jobs that ended, of those added');
    await expectNothingElseLeft(this.#keys, seen);
  }

  async close(): Promise<void> {
    await Promise.all([this.#memory.close(), this.#redis.close()]);
  }

  /** Looks at one of the stores, which is by itself as it should be. */
  async #look(): Promise<void> {
    const { scene } = this;
    scene.seen = await observe(this.#memory);
    this.#events.push(...scene.seen.events);
    scene.eventsTold += scene.seen.events.length;
    this.#story.continue(scene.seen, scene.vanished);
    expectInOrder(scene, scene.seen);
  }

  /** The other one is like it. */
  async compare(): Promise<void> {
    const { scene, texts } = this;
    const seen = { ...scene.seen, events: this.#events.splice(0) };
    assert.deepEqual(await observe(this.#redis), seen, 'Redis (+) stores or tells otherwise than memory (-)');
    if (!this.isClose || texts.length % keysEvery === 0) await expectKnownKeys(this.#keys, scene, seen);
  }
}
