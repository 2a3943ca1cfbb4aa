import { MAX_TRIMMED, type TrimEventsReply, type TrimEventsRequest } from '../../contract/event-log';
import type {
  CleanJobsReply,
  CleanJobsRequest,
  DrainQueueReply,
  DrainQueueRequest,
  ObliterateQueueReply,
  ObliterateQueueRequest,
  RemoveJobsReply,
  RemoveJobsRequest,
  RemoveOrphanedJobsReply,
  RemoveOrphanedJobsRequest,
} from '../../contract/job-removal';
import type { MutatingCall } from '../../contract/mutating-call';
import { toRefusals } from './call-codec';
import {
  CLEAN_JOBS,
  DRAIN_QUEUE,
  OBLITERATE_QUEUE,
  REMOVE_JOBS,
  REMOVE_ORPHANED_JOBS,
  TRIM_EVENTS,
} from './lua-scripts';
import type { NumberedCalls } from './numbered-calls';

/**
 * The calls that take jobs out of a queue, and events out of its log.
 *
 * @internal
 */
export class RemovalCalls {
  constructor(private readonly calls: NumberedCalls) {}

  async removeJobs({ jobs }: RemoveJobsRequest, call: MutatingCall): Promise<RemoveJobsReply> {
    const items = jobs.map(({ id, removeChildren }) => ({ id, removeChildren: removeChildren ? 1 : 0 }));
    const [now, refusals, unfinished] = await this.calls.run(REMOVE_JOBS, call, {}, items);
    // Lua counts from 1.
    const places = (unfinished as number[]).map((place) => place - 1);
    return { now: Number(now), refusals: toRefusals(refusals), unfinished: places };
  }

  async cleanJobs(request: CleanJobsRequest, call: MutatingCall): Promise<CleanJobsReply> {
    const { state, before, kept, limit } = request;
    const values = await this.calls.run(CLEAN_JOBS, call, { state, before, kept, limit });
    const [now, removed, keptInAll, more] = values;
    return {
      now: Number(now),
      removed: removed as string[],
      kept: Number(keptInAll),
      more: more === 1,
    };
  }

  async drainQueue({ delayed, kept }: DrainQueueRequest, call: MutatingCall): Promise<DrainQueueReply> {
    const values = await this.calls.run(DRAIN_QUEUE, call, { delayed: delayed ? 1 : 0, kept });
    const [now, removed, keptInAll, more] = values;
    return { now: Number(now), removed: Number(removed), kept: Number(keptInAll), more: more === 1 };
  }

  async obliterateQueue(
    { force, limit }: ObliterateQueueRequest,
    call: MutatingCall,
  ): Promise<ObliterateQueueReply> {
    const values = await this.calls.run(OBLITERATE_QUEUE, call, { force: force ? 1 : 0, limit });
    const [now, refusal, removed, more] = values;
    if (refusal === 0 && more === 0) {
      this.calls.forgetQueue();
    }
    return {
      now: Number(now),
      refusal: toRefusals([refusal])[0]!,
      removed: Number(removed),
      more: more === 1,
    };
  }

  async removeOrphanedJobs(
    { ids }: RemoveOrphanedJobsRequest,
    call: MutatingCall,
  ): Promise<RemoveOrphanedJobsReply> {
    const items = ids.map((id) => ({ id }));
    const [now, removed, checked] = await this.calls.run(REMOVE_ORPHANED_JOBS, call, {}, items);
    return { now: Number(now), removed: removed as string[], checked: Number(checked) };
  }

  async trimEvents({ maxLength }: TrimEventsRequest, call: MutatingCall): Promise<TrimEventsReply> {
    const head = { maxLength, mostTrimmed: MAX_TRIMMED };
    const [now, removed, more] = await this.calls.run(TRIM_EVENTS, call, head);
    return { now: Number(now), removed: Number(removed), more: more === 1 };
  }
}
