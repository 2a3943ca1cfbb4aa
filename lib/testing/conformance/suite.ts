import { ADD_JOBS_CASES } from './cases/add-jobs.cases';
import { CANCEL_JOBS_CASES } from './cases/cancel-jobs.cases';
import { CANCEL_REQUEST_CASES } from './cases/cancel-requests.cases';
import { CHANGE_PRIORITIES_CASES } from './cases/change-priorities.cases';
import { CLEAN_JOBS_CASES } from './cases/clean-jobs.cases';
import { CLAIM_JOBS_CASES } from './cases/claim-jobs.cases';
import { CONTROL_CASES } from './cases/control.cases';
import { DELAYED_JOB_CASES } from './cases/delayed-jobs.cases';
import { CLAIM_EXPIRED_JOBS_CASES } from './cases/claim-expired-jobs.cases';
import { HEADER_CASES } from './cases/headers.cases';
import { TIME_LIMIT_CASES } from './cases/time-limits.cases';
import { EVENT_LOG_CASES } from './cases/event-log.cases';
import { GIVEN_TOKEN_CASES } from './cases/given-tokens.cases';
import { HELD_BACK_CASES } from './cases/held-back.cases';
import { JOB_ID_CASES } from './cases/job-ids.cases';
import { LIFECYCLE_CASES } from './cases/lifecycle.cases';
import { JOB_DATA_CASES } from './cases/job-data.cases';
import { JOB_LOG_CASES } from './cases/job-logs.cases';
import { LOOKUP_CASES } from './cases/lookup.cases';
import { LIMITED_WAIT_CASES } from './cases/limited-wait.cases';
import { METRICS_CASES } from './cases/metrics.cases';
import { NUMBERING_CASES } from './cases/numbering.cases';
import { PLAN_ITERATION_CASES } from './cases/plan-iteration.cases';
import { RATE_LIMIT_CASES } from './cases/rate-limit.cases';
import { RECOVER_ABANDONED_JOBS_CASES } from './cases/recover-abandoned-jobs.cases';
import { QUEUE_REMOVAL_CASES } from './cases/queue-removal.cases';
import { REMOVE_JOBS_CASES } from './cases/remove-jobs.cases';
import { RENEW_LEASES_CASES } from './cases/renew-leases.cases';
import { REPLY_SLOT_CASES } from './cases/reply-slots.cases';
import { RETENTION_CASES } from './cases/retention.cases';
import { RETRY_JOBS_CASES } from './cases/retry-jobs.cases';
import { SETTLE_AND_CLAIM_CASES } from './cases/settle-and-claim.cases';
import { SETTLE_JOBS_CASES } from './cases/settle-jobs.cases';
import { SETTLE_REFUSAL_CASES } from './cases/settle-refusals.cases';
import { UPDATE_PROGRESS_CASES } from './cases/update-progress.cases';
import { WORKER_CASES } from './cases/worker.cases';
import { WAIT_FOR_WORK_CASES } from './cases/wait-for-work.cases';
import { CEILING_CASES } from './cases/ceiling.cases';
import type { ConformanceCase } from './conformance-case';
import { ENGINE_CASES } from './engine-cases';

/**
 * Everything that a backend has to do.
 *
 * @public
 */
export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  ...ADD_JOBS_CASES,
  ...JOB_ID_CASES,
  ...CLAIM_JOBS_CASES,
  ...SETTLE_JOBS_CASES,
  ...SETTLE_REFUSAL_CASES,
  ...SETTLE_AND_CLAIM_CASES,
  ...HELD_BACK_CASES,
  ...GIVEN_TOKEN_CASES,
  ...RETENTION_CASES,
  ...RENEW_LEASES_CASES,
  ...RECOVER_ABANDONED_JOBS_CASES,
  ...TIME_LIMIT_CASES,
  ...HEADER_CASES,
  ...CLAIM_EXPIRED_JOBS_CASES,
  ...PLAN_ITERATION_CASES,
  ...DELAYED_JOB_CASES,
  ...CHANGE_PRIORITIES_CASES,
  ...RETRY_JOBS_CASES,
  ...UPDATE_PROGRESS_CASES,
  ...REMOVE_JOBS_CASES,
  ...CANCEL_JOBS_CASES,
  ...CANCEL_REQUEST_CASES,
  ...CLEAN_JOBS_CASES,
  ...QUEUE_REMOVAL_CASES,
  ...JOB_DATA_CASES,
  ...JOB_LOG_CASES,
  ...METRICS_CASES,
  ...LOOKUP_CASES,
  ...WORKER_CASES,
  ...CONTROL_CASES,
  ...CEILING_CASES,
  ...RATE_LIMIT_CASES,
  ...EVENT_LOG_CASES,
  ...WAIT_FOR_WORK_CASES,
  ...LIMITED_WAIT_CASES,
  ...LIFECYCLE_CASES,
  ...NUMBERING_CASES,
  ...REPLY_SLOT_CASES,
  ...ENGINE_CASES,
];
