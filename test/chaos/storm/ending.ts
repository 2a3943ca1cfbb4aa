import assert from 'node:assert/strict';

import {
  KEEP_ALL,
  type ClaimJobsReply,
  type ClaimRequest,
  type Outcome,
  type RecoverAbandonedJobsReply,
} from 'nestjs-lane/contract';

import { numberedStep } from './numbered-step';
import { enterStep } from './operations/callers';
import { claimed } from './operations/claiming';
import { passStep } from './operations/time';
import type { Caller, Scene, Step } from './scene';
import type { Answer } from './side';

/** Longer than any delay, lease or memory of a call in a storm, in milliseconds. */
const longEnough = 3 * 3_600_000;
const sweepInterval = 1_000;

/** What brings every job that is left to its end, as a worker would that is alone and in no hurry. */
export class Ending {
  readonly #worker: Caller = { name: 'last', role: 'worker' };

  /** @param take - takes a step */
  constructor(
    private readonly scene: Scene,
    private readonly take: (step: Step) => Promise<Answer>,
  ) {}

  async run(): Promise<void> {
    await this.take(enterStep(this.#worker));
    await this.#resume();
    await this.#liftLimits();
    await this.take(passStep(longEnough));
    // The first sweep notes what the second takes back, and the third notes that there is nothing.
    await this.#recover();
    await this.take(passStep(sweepInterval));
    await this.#recover();
    while (await this.#runSome());
    await this.take(passStep(sweepInterval));
    assert.deepEqual(await this.#recover(), [], 'jobs that are abandoned when all have ended');
    await this.take(passStep(longEnough));
  }

  async #liftLimits(): Promise<void> {
    const terms = { caller: this.#worker, channels: 'control' } as const;
    await this.take(
      numberedStep(this.scene, null, {
        ...terms,
        operation: 'setCeiling',
        call: (handle, call) => handle.setCeiling({ ceiling: null }, call),
      }),
    );
    await this.take(
      numberedStep(this.scene, null, {
        ...terms,
        operation: 'setRateLimit',
        call: (handle, call) => handle.setRateLimit({ limit: null }, call),
      }),
    );
  }

  #resume(): Promise<Answer> {
    return this.take(
      numberedStep(this.scene, null, {
        caller: this.#worker,
        channels: 'control',
        operation: 'resume',
        call: (handle, call) => handle.resume(call),
      }),
    );
  }

  async #recover(): Promise<string[]> {
    const request = { sweepInterval, maxStalledCount: 1 };
    const answer = await this.take(
      numberedStep(this.scene, null, {
        caller: this.#worker,
        channels: 'control',
        operation: 'recoverAbandonedJobs',
        request,
        call: (handle, call) => handle.recoverAbandonedJobs(request, call),
      }),
    );
    return replyOf<RecoverAbandonedJobsReply>(answer).recovered;
  }

  /** @returns whether there was anything to run */
  async #runSome(): Promise<boolean> {
    const request: ClaimRequest = { count: 200, leaseDuration: 30_000, workerName: null };
    const answer = await this.take(
      numberedStep(this.scene, null, {
        caller: this.#worker,
        channels: 'work',
        operation: 'claimJobs',
        request,
        call: (handle, call) => handle.claimJobs(request, call),
        learn: (reply, scene) => claimed(scene, this.#worker, (reply as ClaimJobsReply).claim, request),
      }),
    );
    const { claim } = replyOf<ClaimJobsReply>(answer);
    if (claim.jobs.length === 0) return false;
    const outcomes = claim.jobs.map(({ id }): Outcome => {
      return { id, token: claim.token, kind: 'completed', returnValue: 'null', retention: KEEP_ALL };
    });
    await this.take(
      numberedStep(this.scene, null, {
        caller: this.#worker,
        channels: 'work',
        operation: 'settleJobs',
        items: outcomes,
        call: (handle, call, items, side) => {
          const own = items.map((outcome) => ({ ...outcome, token: side.toToken(outcome.token) }));
          return handle.settleJobs({ outcomes: own, claim: null }, call);
        },
      }),
    );
    return true;
  }
}

function replyOf<Reply>(answer: Answer): Reply {
  assert.ok('reply' in answer, JSON.stringify(answer));
  return answer.reply as Reply;
}
