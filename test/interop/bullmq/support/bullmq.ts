import * as bullmq5 from 'bullmq-5';
import * as bullmq6 from 'bullmq-6';

/** What the specs use of BullMQ. Where the majors differ, v6 gives the types. */
export type BullMq = Pick<
  typeof bullmq6,
  | 'DelayedError'
  | 'FlowProducer'
  | 'Queue'
  | 'QueueEvents'
  | 'QueueEventsProducer'
  | 'RateLimitError'
  | 'UnrecoverableError'
  | 'WaitingError'
  | 'Worker'
>;

/** A major version of BullMQ. */
export type Major = 5 | 6;

/** Whose worker, queue or listener it is. */
export type Party = 'ours' | Major;

export const majors = [5, 6] as const satisfies Major[];

const versions: Record<Major, BullMq> = { 5: bullmq5 as unknown as BullMq, 6: bullmq6 };

export function bullmq(major: Major): BullMq {
  return versions[major];
}

/** For the title of a spec. */
export function nameOf(party: Party): string {
  return party === 'ours' ? 'us' : `BullMQ ${party}`;
}
