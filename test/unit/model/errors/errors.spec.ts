import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { AlreadyRunningError } from '../../../../lib/model/errors/already-running.error';
import { BackoffStrategyError } from '../../../../lib/model/errors/backoff-strategy.error';
import { CallExpiredError } from '../../../../lib/model/errors/call-expired.error';
import { CommandForbiddenError } from '../../../../lib/model/errors/command-forbidden.error';
import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { DelayedError } from '../../../../lib/model/errors/delayed.error';
import { FailedChildrenError } from '../../../../lib/model/errors/failed-children.error';
import { InvalidAttemptsError } from '../../../../lib/model/errors/invalid-attempts.error';
import { InvalidBackendError } from '../../../../lib/model/errors/invalid-backend.error';
import { InvalidBackendUrlError } from '../../../../lib/model/errors/invalid-backend-url.error';
import { InvalidBackoffError } from '../../../../lib/model/errors/invalid-backoff.error';
import { InvalidCronPatternError } from '../../../../lib/model/errors/invalid-cron-pattern.error';
import { InvalidDataError } from '../../../../lib/model/errors/invalid-data.error';
import { InvalidDefinitionError } from '../../../../lib/model/errors/invalid-definition.error';
import { InvalidDelayError } from '../../../../lib/model/errors/invalid-delay.error';
import { InvalidDurationError } from '../../../../lib/model/errors/invalid-duration.error';
import { InvalidEventIdError } from '../../../../lib/model/errors/invalid-event-id.error';
import { InvalidFlagError } from '../../../../lib/model/errors/invalid-flag.error';
import { InvalidJobIdError } from '../../../../lib/model/errors/invalid-job-id.error';
import { InvalidJobNameError } from '../../../../lib/model/errors/invalid-job-name.error';
import type { InvalidOptionError } from '../../../../lib/model/errors/invalid-option.error';
import { InvalidJobError } from '../../../../lib/model/errors/invalid-job.error';
import { JobsNotAddedError } from '../../../../lib/model/errors/jobs-not-added.error';
import { TooManyJobsError } from '../../../../lib/model/errors/too-many-jobs.error';
import { InvalidJobsError } from '../../../../lib/model/errors/invalid-jobs.error';
import { InvalidLimitError } from '../../../../lib/model/errors/invalid-limit.error';
import { InvalidKeepLogsError } from '../../../../lib/model/errors/invalid-keep-logs.error';
import { InvalidLabelError } from '../../../../lib/model/errors/invalid-label.error';
import { InvalidLogRowError } from '../../../../lib/model/errors/invalid-log-row.error';
import { InvalidRangeError } from '../../../../lib/model/errors/invalid-range.error';
import { InvalidOptionsError } from '../../../../lib/model/errors/invalid-options.error';
import { InvalidPriorityError } from '../../../../lib/model/errors/invalid-priority.error';
import { InvalidProcessorError } from '../../../../lib/model/errors/invalid-processor.error';
import { InvalidQueueNameError } from '../../../../lib/model/errors/invalid-queue-name.error';
import { InvalidRedisOptionError } from '../../../../lib/model/errors/invalid-redis-option.error';
import { InvalidSizeLimitError } from '../../../../lib/model/errors/invalid-size-limit.error';
import { InvalidExpiresInError } from '../../../../lib/model/errors/invalid-expires-in.error';
import { InvalidTimeoutError } from '../../../../lib/model/errors/invalid-timeout.error';
import { InvalidStackTraceLimitError } from '../../../../lib/model/errors/invalid-stack-trace-limit.error';
import { InvalidTimestampError } from '../../../../lib/model/errors/invalid-timestamp.error';
import { PayloadTooLargeError } from '../../../../lib/model/errors/payload-too-large.error';
import { InvalidRetentionError } from '../../../../lib/model/errors/invalid-retention.error';
import { InvalidTokenError } from '../../../../lib/model/errors/invalid-token.error';
import { InvalidWorkerOptionError } from '../../../../lib/model/errors/invalid-worker-option.error';
import { InvalidReasonError } from '../../../../lib/model/errors/invalid-reason.error';
import { JobCancelledError } from '../../../../lib/model/errors/job-cancelled.error';
import { JobLeasedError } from '../../../../lib/model/errors/job-leased.error';
import { JobNotFoundError } from '../../../../lib/model/errors/job-not-found.error';
import { JobNotMovedError } from '../../../../lib/model/errors/job-not-moved.error';
import { JobRejectedError } from '../../../../lib/model/errors/job-rejected.error';
import { LaneError } from '../../../../lib/model/errors/lane-error';
import { LeaseLostError } from '../../../../lib/model/errors/lease-lost.error';
import { LoginRefusedError } from '../../../../lib/model/errors/login-refused.error';
import { MissingDriverError } from '../../../../lib/model/errors/missing-driver.error';
import { MissingProcessorError } from '../../../../lib/model/errors/missing-processor.error';
import { NewerVersionError } from '../../../../lib/model/errors/newer-version.error';
import { NoHandlerError } from '../../../../lib/model/errors/no-handler.error';
import { OutcomeUnknownError } from '../../../../lib/model/errors/outcome-unknown.error';
import { OutstandingIterationError } from '../../../../lib/model/errors/outstanding-iteration.error';
import { QueueActiveError } from '../../../../lib/model/errors/queue-active.error';
import { QueueClosedError } from '../../../../lib/model/errors/queue-closed.error';
import { QueueNotPausedError } from '../../../../lib/model/errors/queue-not-paused.error';
import { StaleCallError } from '../../../../lib/model/errors/stale-call.error';
import { StoreFullError } from '../../../../lib/model/errors/store-full.error';
import { StoreReadOnlyError } from '../../../../lib/model/errors/store-read-only.error';
import { StoreUnavailableError } from '../../../../lib/model/errors/store-unavailable.error';
import { StoreError } from '../../../../lib/model/errors/store.error';
import { UnfinishedChildrenError } from '../../../../lib/model/errors/unfinished-children.error';
import { UnknownBackendUrlError } from '../../../../lib/model/errors/unknown-backend-url.error';
import { UnknownJobStateError } from '../../../../lib/model/errors/unknown-job-state.error';
import { UnknownJobNameError } from '../../../../lib/model/errors/unknown-job-name.error';
import { UnknownOptionError } from '../../../../lib/model/errors/unknown-option.error';
import { UnreadableDataError } from '../../../../lib/model/errors/unreadable-data.error';
import { UnrecoverableError } from '../../../../lib/model/errors/unrecoverable.error';
import { UnserializableDataError } from '../../../../lib/model/errors/unserializable-data.error';
import { UnsupportedServerError } from '../../../../lib/model/errors/unsupported-server.error';
import { WaitingError } from '../../../../lib/model/errors/waiting.error';
import { EventOverflowError } from '../../../../lib/model/errors/event-overflow.error';
import { IngestOverflowError } from '../../../../lib/model/errors/ingest-overflow.error';
import { InvalidSourceError } from '../../../../lib/model/errors/invalid-source.error';
import { EventsLostError } from '../../../../lib/model/errors/events-lost.error';
import { InvalidQueueEventsError } from '../../../../lib/model/errors/invalid-queue-events.error';
import { JobExpiredError } from '../../../../lib/model/errors/job-expired.error';
import { JobTimeoutError } from '../../../../lib/model/errors/job-timeout.error';
import { JobRemovedError } from '../../../../lib/model/errors/job-removed.error';
import { WaitTimeoutError } from '../../../../lib/model/errors/wait-timeout.error';
import { InvalidStreamOptionError } from '../../../../lib/model/errors/invalid-stream-option.error';
import { WorkerClosingError } from '../../../../lib/model/errors/worker-closing.error';
import { WrongJobStateError } from '../../../../lib/model/errors/wrong-job-state.error';
import { parseCustomEvent } from '../../../../lib/model/custom-event';
import { parseHeaders } from '../../../../lib/model/job-headers';

const LONG = 'x'.repeat(100_000);
const URL_WITH_PASSWORD = 'redis://admin:pa55word@queue.example:6379';
const RULE = 'what is accepted';
const FIX = 'What to do.';
const SERVER = 'Redis at queue.example:6379';

function refusedEvent(eventName: string): LaneError {
  try {
    parseCustomEvent({ eventName });
  } catch (error) {
    return error as LaneError;
  }
  throw new Error(`${eventName} is no name that is refused`);
}

function headersError(name: string): LaneError {
  try {
    parseHeaders({ [name]: '' });
  } catch (error) {
    return error as LaneError;
  }
  throw new Error(`${name} is no name that is refused`);
}

interface Sample {
  readonly error: LaneError;
  readonly code: string;
  /** What its message has to hold: the value that was wrong, the rule, and the fix. */
  readonly says: readonly string[];
  /** The error for the longest of values. */
  readonly long?: LaneError;
  /** The error for a URL that holds a password in place of the value. */
  readonly withUrl?: LaneError;
}

/** One error for an option: all of its kind are told apart by class and code only. */
function forOption(
  Type: new (option: string, value: unknown, rule: string, fix: string) => InvalidOptionError,
  code: string,
): Sample {
  return {
    error: new Type('some.option', -5, RULE, FIX),
    code,
    says: ['Option "some.option" is -5; it must be what is accepted. What to do.'],
    long: new Type('some.option', LONG, RULE, FIX),
    withUrl: new Type('some.option', URL_WITH_PASSWORD, RULE, FIX),
  };
}

const SAMPLES: readonly Sample[] = [
  forOption(InvalidAttemptsError, 'LANE_BAD_ATTEMPTS'),
  forOption(InvalidBackoffError, 'LANE_BAD_BACKOFF'),
  forOption(InvalidDelayError, 'LANE_BAD_DELAY'),
  forOption(InvalidDurationError, 'LANE_BAD_DURATION'),
  forOption(InvalidExpiresInError, 'LANE_BAD_EXPIRES_IN'),
  forOption(InvalidTimeoutError, 'LANE_BAD_TIMEOUT'),
  forOption(InvalidFlagError, 'LANE_BAD_FLAG'),
  forOption(InvalidKeepLogsError, 'LANE_BAD_KEEP_LOGS'),
  forOption(InvalidRedisOptionError, 'LANE_BAD_REDIS_OPTION'),
  forOption(InvalidStreamOptionError, 'LANE_BAD_STREAM_OPTION'),
  forOption(InvalidPriorityError, 'LANE_BAD_PRIORITY'),
  forOption(InvalidSizeLimitError, 'LANE_BAD_SIZE_LIMIT'),
  forOption(InvalidStackTraceLimitError, 'LANE_BAD_STACK_TRACE_LIMIT'),
  forOption(InvalidTimestampError, 'LANE_BAD_TIMESTAMP'),
  forOption(InvalidRetentionError, 'LANE_BAD_RETENTION'),
  forOption(InvalidTokenError, 'LANE_BAD_TOKEN'),
  forOption(InvalidWorkerOptionError, 'LANE_BAD_WORKER_OPTION'),
  {
    error: headersError('x y'),
    code: 'LANE_BAD_HEADERS',
    says: ['Option "headers" cannot be used.', '"x y" is no name; it must have 1 to 128 letters, digits'],
    long: headersError(LONG),
    withUrl: headersError(URL_WITH_PASSWORD),
  },
  {
    error: new InvalidCronPatternError('now and then', 'Europe/Berlin'),
    code: 'LANE_BAD_PATTERN',
    says: [
      'Cron pattern "now and then" in time zone "Europe/Berlin" cannot be read',
      'it must have the fields minute, hour, day of month, month and day of week',
      'Correct the scheduler where it was made.',
    ],
    long: new InvalidCronPatternError(LONG, LONG),
    withUrl: new InvalidCronPatternError(URL_WITH_PASSWORD, null),
  },
  {
    error: new InvalidEventIdError('yesterday'),
    code: 'LANE_BAD_EVENT_ID',
    says: [
      '"lastEventId" is "yesterday"',
      'it must be the id of an event',
      'Use the id that a listener was given',
    ],
    long: new InvalidEventIdError(LONG),
    withUrl: new InvalidEventIdError(URL_WITH_PASSWORD),
  },
  {
    error: refusedEvent('completed'),
    code: 'LANE_BAD_EVENT',
    says: [
      'eventName is "completed"',
      'It must be a name that listeners cannot take for an event of the queue',
      'Choose another name',
    ],
    long: refusedEvent(`added:${LONG}`),
    withUrl: refusedEvent(`added:${URL_WITH_PASSWORD}`),
  },
  {
    error: new InvalidJobsError(
      Array.from({ length: 7 }, (_, index) => ({ index, error: new InvalidJobError(index) })),
    ),
    code: 'LANE_BAD_JOBS',
    says: [
      'Nothing was stored, since 7 jobs cannot be added',
      'Entry 0: It is of type number; it must be a job.',
      'Entry 1: It is',
      'The property "errors" has 5 more.',
    ],
    long: new InvalidJobsError([], LONG),
    withUrl: new InvalidJobsError([], URL_WITH_PASSWORD),
  },
  {
    error: new InvalidJobError(null),
    code: 'LANE_BAD_JOB',
    says: ['It is null; it must be a job', "{ name: 'send'"],
    long: new InvalidJobError(LONG),
    withUrl: new InvalidJobError(URL_WITH_PASSWORD),
  },
  {
    error: new TooManyJobsError(1_001, 1_000),
    code: 'LANE_TOO_MANY_JOBS',
    says: ['There are 1001 jobs for addBulk to add in one step', '1000 at most', 'without "atomic"'],
  },
  {
    error: new JobsNotAddedError([{ job: {} }, { error: new InvalidJobError(5) }]),
    code: 'LANE_JOBS_NOT_ADDED',
    says: ['Of 2 jobs 1 were not added', 'The property "results"', 'The first error: It is of type number'],
  },
  {
    error: new PayloadTooLargeError('send', 5_000, 4_096),
    code: 'LANE_PAYLOAD_TOO_LARGE',
    says: [
      'job "send" takes 5000 bytes',
      'its option "sizeLimit" allows 4096',
      'Store large content elsewhere',
    ],
    long: new PayloadTooLargeError(LONG, 2, 1),
    withUrl: new PayloadTooLargeError(URL_WITH_PASSWORD, 2, 1),
  },
  {
    error: new BackoffStrategyError('mine', 'is unknown', 'Give it.', new Error('no mailbox')),
    code: 'LANE_BACKOFF_STRATEGY',
    says: ['The attempt failed with "no mailbox"', 'the strategy of backoff "mine" is unknown. Give it.'],
    long: new BackoffStrategyError(LONG, 'is unknown', 'Give it.', new Error('no')),
    withUrl: new BackoffStrategyError(URL_WITH_PASSWORD, 'is unknown', 'Give it.', new Error('no')),
  },
  {
    error: new InvalidLabelError('a-b', 'names begin with a letter'),
    code: 'LANE_BAD_LABEL',
    says: ['Label "a-b" cannot be used, since names begin with a letter', 'another name'],
    long: new InvalidLabelError(LONG, 'names begin with a letter'),
    withUrl: new InvalidLabelError(URL_WITH_PASSWORD, 'names begin with a letter'),
  },
  {
    error: new InvalidLogRowError({ row: 1 }),
    code: 'LANE_BAD_LOG_ROW',
    says: ['The row for the log of a job is of type object', 'it must be a text', 'JSON.stringify'],
    long: new InvalidLogRowError(LONG),
    withUrl: new InvalidLogRowError([URL_WITH_PASSWORD]),
  },
  {
    error: new InvalidRangeError('end', -2),
    code: 'LANE_BAD_RANGE',
    says: ['"end" is -2', 'at least 0, or -1 for the last', 'Positions count from 0'],
    long: new InvalidRangeError('start', LONG),
    withUrl: new InvalidRangeError('start', URL_WITH_PASSWORD),
  },
  {
    error: new InvalidLimitError('limit', -1, 0),
    code: 'LANE_BAD_LIMIT',
    says: ['"limit" is -1', 'an integer of at least 0', 'Correct the number'],
    long: new InvalidLimitError('limit', LONG, 0),
    withUrl: new InvalidLimitError('limit', URL_WITH_PASSWORD, 0),
  },
  {
    error: new JobLeasedError('a-1', 'email'),
    code: 'LANE_JOB_LEASED',
    says: ['Job "a-1" of queue "email"', 'a worker has it', 'Wait until it has ended'],
    long: new JobLeasedError(LONG, LONG),
    withUrl: new JobLeasedError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new OutstandingIterationError('a-1', 'email'),
    code: 'LANE_OUTSTANDING_ITERATION',
    says: ['Job "a-1" of queue "email"', 'its job scheduler goes on from it', 'removeJobScheduler()'],
    long: new OutstandingIterationError(LONG, LONG),
    withUrl: new OutstandingIterationError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new QueueNotPausedError('email'),
    code: 'LANE_QUEUE_NOT_PAUSED',
    says: ['Queue "email" is not paused', 'call obliterate() again'],
    long: new QueueNotPausedError(LONG),
    withUrl: new QueueNotPausedError(URL_WITH_PASSWORD),
  },
  {
    error: new QueueActiveError('email'),
    code: 'LANE_QUEUE_ACTIVE',
    says: ['Queue "email" has active jobs', 'it is paused', '{ force: true }'],
    long: new QueueActiveError(LONG),
    withUrl: new QueueActiveError(URL_WITH_PASSWORD),
  },
  {
    error: new InvalidProcessorError('./processor.js'),
    code: 'LANE_BAD_PROCESSOR',
    says: ['"processor" is "./processor.js"', 'it must be a function', 'Give it as the second argument'],
    long: new InvalidProcessorError(LONG),
    withUrl: new InvalidProcessorError(URL_WITH_PASSWORD),
  },
  {
    error: new InvalidJobIdError('7', 'it is an integer', 'Put a word in front.'),
    code: 'LANE_BAD_JOB_ID',
    says: ['Job id "7" cannot be used', 'it is an integer. Put a word in front.'],
    long: new InvalidJobIdError(LONG, RULE, FIX),
    withUrl: new InvalidJobIdError(URL_WITH_PASSWORD, RULE, FIX),
  },
  {
    error: new InvalidJobNameError(''),
    code: 'LANE_BAD_JOB_NAME',
    says: ['Job name ""', 'a text of at least one character', "add('send', data)"],
    long: new InvalidJobNameError({ data: LONG }),
    withUrl: new InvalidJobNameError({ url: URL_WITH_PASSWORD }),
  },
  {
    error: new InvalidQueueNameError('a:b'),
    code: 'LANE_BAD_NAME',
    says: ['Queue name "a:b"', 'holds no ":"', 'such as "a-b"'],
    long: new InvalidQueueNameError(`:${LONG}`),
    withUrl: new InvalidQueueNameError(URL_WITH_PASSWORD),
  },
  {
    error: new InvalidOptionsError('add', 5, ['delay', 'attempts']),
    code: 'LANE_BAD_OPTIONS',
    says: ['The options of add are 5', 'they must be an object', '{ delay, attempts }'],
    long: new InvalidOptionsError('add', LONG, ['delay']),
    withUrl: new InvalidOptionsError('Queue', URL_WITH_PASSWORD, ['backend']),
  },
  {
    error: new InvalidBackendError('Queue "email"', undefined),
    code: 'LANE_BAD_BACKEND',
    says: [
      'The backend of Queue "email" is not set',
      'it must be a backend, such as memory()',
      'option "backend"',
    ],
    long: new InvalidBackendError('Queue "email"', { url: LONG }),
    withUrl: new InvalidBackendError('Queue "email"', { url: URL_WITH_PASSWORD }),
  },
  {
    error: new UnknownBackendUrlError('memroy:jobs', ['memory']),
    code: 'LANE_BACKEND_URL',
    says: [
      'begin with "memroy:"',
      'Did you mean "memory:"?',
      'begins with one of: memory:.',
      'Correct the URL',
    ],
    long: new UnknownBackendUrlError(`${LONG}:jobs`, ['memory']),
    withUrl: new UnknownBackendUrlError(URL_WITH_PASSWORD, ['memory']),
  },
  {
    error: new InvalidBackendUrlError('port', 'a number from 1 to 65535', 'redis://host:6379/0'),
    code: 'LANE_BAD_BACKEND_URL',
    says: [
      'The port of the backend URL cannot be used',
      'it must be a number from 1 to 65535',
      'as redis://host:6379/0',
    ],
  },
  {
    error: new MissingDriverError('redis', 'ioredis'),
    code: 'LANE_DRIVER_MISSING',
    says: ['redis()', 'the package "ioredis", which is not installed', 'Install it: npm install ioredis.'],
  },
  {
    error: new UnknownJobNameError('sned', 'email', ['send', 'digest']),
    code: 'LANE_UNKNOWN_JOB_NAME',
    says: ['Job "sned"', 'queue "email"', 'Did you mean "send"?', 'It has: send, digest.', 'Correct'],
    long: new UnknownJobNameError(LONG, LONG, ['send']),
    withUrl: new UnknownJobNameError(URL_WITH_PASSWORD, URL_WITH_PASSWORD, ['send']),
  },
  {
    error: new InvalidDefinitionError('Option "version" of job()', 0, RULE, FIX),
    code: 'LANE_BAD_DEFINITION',
    says: ['Option "version" of job() is 0', RULE, FIX],
    long: new InvalidDefinitionError('Option "version" of job()', LONG, RULE, FIX),
    withUrl: new InvalidDefinitionError('Option "version" of job()', URL_WITH_PASSWORD, RULE, FIX),
  },
  {
    error: new UnknownOptionError('add', 'dealy', ['delay', 'attempts']),
    code: 'LANE_UNKNOWN_OPTION',
    says: [
      'Option "dealy" of add is unknown',
      'Did you mean "delay"?',
      'Known options: delay, attempts.',
      'Correct',
    ],
    long: new UnknownOptionError('add', LONG, ['delay']),
    withUrl: new UnknownOptionError('add', URL_WITH_PASSWORD, ['delay']),
  },
  {
    error: new UnknownJobStateError('complete'),
    code: 'LANE_UNKNOWN_STATE',
    says: [
      'no job state "complete"',
      'Did you mean "completed"?',
      'Use one of: waiting, prioritized, delayed',
    ],
    long: new UnknownJobStateError(LONG),
    withUrl: new UnknownJobStateError(URL_WITH_PASSWORD),
  },
  {
    error: new UnserializableDataError('result', 'send', 'it holds a BigInt'),
    code: 'LANE_UNSERIALIZABLE',
    says: ['The result of job "send"', 'it holds a BigInt', 'Jobs travel as JSON: use plain objects'],
    long: new UnserializableDataError('data', LONG, 'it is too long'),
    withUrl: new UnserializableDataError('data', URL_WITH_PASSWORD, 'it is too long'),
  },
  {
    error: new AlreadyRunningError('Worker "email"'),
    code: 'LANE_ALREADY_RUNNING',
    says: ['Worker "email" is running already', 'Call run() once', 'autorun: false'],
  },
  {
    error: new QueueClosedError('Queue "email"', 'add'),
    code: 'LANE_CLOSED',
    says: ['Queue "email" is closed', 'add() was refused', 'before close()'],
  },
  {
    error: new CallExpiredError('a3', 12.2),
    code: 'LANE_CALL_EXPIRED',
    says: ['channel "a3"', '13 ms after its deadline', 'Make it again, or give it more time'],
  },
  {
    error: new StaleCallError('w0', 41),
    code: 'LANE_STALE_CALL',
    says: ['Call 41 of channel "w0"', 'older than the last call', 'Number the calls of a channel upwards'],
  },
  {
    error: new ConnectionLostError('Redis at queue.example', false),
    code: 'LANE_CONNECTION_LOST',
    says: ['Redis at queue.example could not be reached.', 'Check that it runs'],
    withUrl: new ConnectionLostError(`Redis at ${URL_WITH_PASSWORD}`, true),
  },
  {
    error: new StoreReadOnlyError(SERVER),
    code: 'LANE_STORE_READ_ONLY',
    says: [
      `${SERVER} takes no writes`,
      'changed nothing',
      'address that leads to the primary',
      'go on trying',
    ],
    withUrl: new StoreReadOnlyError(`Redis at ${URL_WITH_PASSWORD}`),
  },
  {
    error: new StoreFullError(SERVER),
    code: 'LANE_STORE_FULL',
    says: [`${SERVER} is full`, 'changed nothing', 'Give it more memory', 'removeOnComplete', 'go on trying'],
    withUrl: new StoreFullError(`Redis at ${URL_WITH_PASSWORD}`),
  },
  {
    error: new StoreUnavailableError(SERVER, 'LOADING Redis is loading the dataset in memory'),
    code: 'LANE_STORE_UNAVAILABLE',
    says: [`${SERVER} serves no calls now`, '"LOADING Redis is loading', 'changed nothing', 'go on trying'],
    long: new StoreUnavailableError(SERVER, LONG),
    withUrl: new StoreUnavailableError(`Redis at ${URL_WITH_PASSWORD}`, `MASTERDOWN ${URL_WITH_PASSWORD}`),
  },
  {
    error: new LoginRefusedError(SERVER),
    code: 'LANE_LOGIN_REFUSED',
    says: [`${SERVER} refuses the login`, 'missing or wrong', 'changed nothing', 'percent-encode'],
    withUrl: new LoginRefusedError(`Redis at ${URL_WITH_PASSWORD}`),
  },
  {
    error: new CommandForbiddenError(SERVER, 'evalsha'),
    code: 'LANE_COMMAND_FORBIDDEN',
    says: [`${SERVER} does not let its user run the command "evalsha"`, 'changed nothing', 'Allow the user'],
    long: new CommandForbiddenError(SERVER, LONG),
    withUrl: new CommandForbiddenError(`Redis at ${URL_WITH_PASSWORD}`, undefined),
  },
  {
    error: new UnsupportedServerError(SERVER, '6.0.16', 'Redis 6.2 or newer, or Valkey,'),
    code: 'LANE_UNSUPPORTED_SERVER',
    says: [
      `${SERVER} is "6.0.16", which cannot be used`,
      'Redis 6.2 or newer, or Valkey, is needed',
      'Upgrade the server',
    ],
    long: new UnsupportedServerError(SERVER, LONG, 'Redis 6.2 or newer'),
    withUrl: new UnsupportedServerError(`Redis at ${URL_WITH_PASSWORD}`, '6.0.16', 'Redis 6.2 or newer'),
  },
  {
    error: new OutcomeUnknownError('add'),
    code: 'LANE_OUTCOME_UNKNOWN',
    says: ['No reply to add()', 'unknown whether it took effect', 'repeat the call with the same jobId'],
  },
  {
    error: new JobNotFoundError('a-1', 'email'),
    code: 'LANE_JOB_NOT_FOUND',
    says: ['Job "a-1" is not in queue "email"', 'removed by retention', 'Check the id'],
    long: new JobNotFoundError(LONG, LONG),
    withUrl: new JobNotFoundError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new WrongJobStateError('a-1', 'email', 'promote takes delayed jobs'),
    code: 'LANE_WRONG_JOB_STATE',
    says: ['Job "a-1" of queue "email"', 'promote takes delayed jobs', 'job.getState()'],
    long: new WrongJobStateError(LONG, LONG),
    withUrl: new WrongJobStateError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new JobNotMovedError('DelayedError', 'a-1', 'email'),
    code: 'LANE_JOB_NOT_MOVED',
    says: [
      'job "a-1" of queue "email" threw a "DelayedError"',
      'the job was not moved',
      'Await job.moveToDelayed()',
    ],
    long: new JobNotMovedError(LONG, LONG, LONG),
    withUrl: new JobNotMovedError(URL_WITH_PASSWORD, URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new MissingProcessorError('email'),
    code: 'LANE_NO_PROCESSOR',
    says: ['worker of queue "email" has no function', 'as its second argument', 'getNextJob()'],
    long: new MissingProcessorError(LONG),
    withUrl: new MissingProcessorError(URL_WITH_PASSWORD),
  },
  {
    error: new LeaseLostError('a-1', 'email'),
    code: 'LANE_LEASE_LOST',
    says: ['job "a-1" of queue "email" was lost', 'may run again', 'raise lockDuration'],
    long: new LeaseLostError(LONG, LONG),
    withUrl: new LeaseLostError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new UnfinishedChildrenError('a-1', 'email'),
    code: 'LANE_UNFINISHED_CHILDREN',
    says: ['Job "a-1" of queue "email" has children that are not done', 'with attempts and a backoff'],
    long: new UnfinishedChildrenError(LONG, LONG),
    withUrl: new UnfinishedChildrenError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new UnreadableDataError('a-1', 'email'),
    code: 'LANE_UNREADABLE_DATA',
    says: ['The data of job "a-1" of queue "email" cannot be read', 'no JSON', 'job.updateData()'],
    long: new UnreadableDataError(LONG, LONG),
    withUrl: new UnreadableDataError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new FailedChildrenError('a-1', 'email'),
    code: 'LANE_FAILED_CHILDREN',
    says: ['Job "a-1" of queue "email" has children that have failed', 'Retry the children first'],
    long: new FailedChildrenError(LONG, LONG),
    withUrl: new FailedChildrenError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new EventOverflowError(1_000),
    code: 'LANE_EVENT_OVERFLOW',
    says: ['More than 1000 events wait', 'raise "buffer"'],
  },
  {
    error: new IngestOverflowError(10_000),
    code: 'LANE_INGEST_OVERFLOW',
    says: ['More than 10000 jobs wait', 'those that came before are stored', 'raise "buffer"'],
  },
  {
    error: new InvalidSourceError(null),
    code: 'LANE_BAD_SOURCE',
    says: ['is null and brings no jobs', 'it must be an Observable', 'an array'],
    withUrl: new InvalidSourceError(URL_WITH_PASSWORD),
  },
  {
    error: new EventsLostError('email', '1-0', '7-0'),
    code: 'LANE_EVENTS_LOST',
    says: ['Events of queue "email" between 1-0 and 7-0 are missing', 'Read more often'],
    long: new EventsLostError(LONG, '1-0', '7-0'),
    withUrl: new EventsLostError(URL_WITH_PASSWORD, '1-0', '7-0'),
  },
  {
    error: new InvalidQueueEventsError('sms', 'email'),
    code: 'LANE_BAD_QUEUE_EVENTS',
    says: ['was given the events of queue "sms"', 'the QueueEvents of queue "email"', 'Or call finished()'],
    long: new InvalidQueueEventsError(LONG, LONG),
    withUrl: new InvalidQueueEventsError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new InvalidReasonError(7),
    code: 'LANE_BAD_REASON',
    says: ['The reason for cancelling a job is 7', 'it must be a text', 'Leave it out'],
    long: new InvalidReasonError(LONG),
    withUrl: new InvalidReasonError(URL_WITH_PASSWORD),
  },
  {
    error: new JobCancelledError('a-1', 'email', 'no longer wanted'),
    code: 'LANE_JOB_CANCELLED',
    says: [
      'Job "a-1" of queue "email" was cancelled: "no longer wanted".',
      'job.retry() has it run once more',
    ],
    long: new JobCancelledError(LONG, LONG, LONG),
    withUrl: new JobCancelledError(URL_WITH_PASSWORD, URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new JobTimeoutError('a-1', 'email', 'took longer than its timeout of 500 ms'),
    code: 'LANE_JOB_TIMEOUT',
    says: [
      'Job "a-1" of queue "email"',
      'took longer than its timeout of 500 ms.',
      'Give it a longer timeout',
    ],
    long: new JobTimeoutError(LONG, LONG, 'took long'),
    withUrl: new JobTimeoutError(URL_WITH_PASSWORD, URL_WITH_PASSWORD, 'took long'),
  },
  {
    error: new JobExpiredError('a-1', 'email', 'job was not started in time'),
    code: 'LANE_JOB_EXPIRED',
    says: ['Job "a-1" of queue "email"', 'was not started in time.', 'Give it a longer expiresIn'],
    long: new JobExpiredError(LONG, LONG, 'was late'),
    withUrl: new JobExpiredError(URL_WITH_PASSWORD, URL_WITH_PASSWORD, 'was late'),
  },
  {
    error: new JobRemovedError('a-1', 'email'),
    code: 'LANE_JOB_REMOVED',
    says: ['Job "a-1" is not in queue "email"', 'was not kept', 'keep finished jobs longer'],
    long: new JobRemovedError(LONG, LONG),
    withUrl: new JobRemovedError(URL_WITH_PASSWORD, URL_WITH_PASSWORD),
  },
  {
    error: new WaitTimeoutError('a-1', 'email', 500),
    code: 'LANE_WAIT_TIMEOUT',
    says: ['Job "a-1" of queue "email" did not end within 500 ms', 'wait longer'],
    long: new WaitTimeoutError(LONG, LONG, 500),
    withUrl: new WaitTimeoutError(URL_WITH_PASSWORD, URL_WITH_PASSWORD, 500),
  },
  {
    error: new WorkerClosingError('email'),
    code: 'LANE_WORKER_CLOSING',
    says: ['worker of queue "email" closes', 'will run again', 'Raise shutdown.drain'],
    long: new WorkerClosingError(LONG),
    withUrl: new WorkerClosingError(URL_WITH_PASSWORD),
  },
];

/** Bases, and errors of handlers, which are not of the package's own kind. */
const NO_SAMPLES = [
  'DelayedError',
  'InvalidDataError',
  'InvalidOptionError',
  // Its message is that of the failure.
  'JobFailedError',
  'JobRejectedError',
  'NewerVersionError',
  'NoHandlerError',
  'RateLimitError',
  'RateLimited',
  'StoreError',
  'UnrecoverableError',
  'WaitingError',
];

describe.each(SAMPLES.map((sample) => [sample.error.name, sample] as const))('%s', (name, sample) => {
  const { error, code, says, long, withUrl } = sample;

  it('is a LaneError with the name of its class and its code', () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(LaneError);
    expect(error.code).toBe(code);
    expect(error.constructor.name).toBe(name);
    expect(error.stack).toContain(`${name}: `);
  });

  it('says what was wrong, the rule and the fix, in one line of whole sentences', () => {
    for (const part of says) {
      expect(error.message).toContain(part);
    }
    expect(error.message).toMatch(/^[A-Z][^\n]*\.$/);
    expect(error.message).not.toMatch(/undefined|\[object|\s\s|\.\./);
  });

  it('cuts long values', () => {
    expect(error.message.length).toBeLessThan(400);
    expect(long?.message.length ?? 0).toBeLessThan(500);
  });

  it('does not show the credentials of a URL, neither in its message nor in its stack', () => {
    for (const text of [withUrl?.message, withUrl?.stack]) {
      expect(text ?? '').not.toMatch(/admin|pa55word/);
    }
  });
});

describe('the samples above', () => {
  it('hold one of every error class of the model', async () => {
    const folder = join(process.cwd(), 'lib/model/errors');
    const files = readdirSync(folder).filter((file) => file.endsWith('.error.ts'));
    const classes = await Promise.all(
      files.map(async (file) => Object.keys((await import(join(folder, file))) as object)),
    );
    // One class a file.
    expect(classes.filter((names) => names.length !== 1)).toEqual([]);
    expect([...SAMPLES.map(({ error }) => error.name), ...NO_SAMPLES].sort()).toEqual(classes.flat().sort());
  });

  it('tell a state that is not taken from one that does not exist', () => {
    expect(new UnknownJobStateError('active', ['completed', 'failed']).message).toBe(
      'The job state "active" is not taken here. Use one of: completed, failed.',
    );
  });

  it('have a code each', () => {
    const codes = SAMPLES.map(({ error }) => error.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) {
      expect(code).toMatch(/^LANE(?:_[A-Z]+)+$/);
    }
  });
});

describe('what an error tells programs', () => {
  it.each([
    [
      new InvalidDelayError('delay', -5, RULE, FIX),
      { name: 'InvalidDelayError', code: 'LANE_BAD_DELAY', option: 'delay', value: -5 },
    ],
    [new InvalidJobIdError(7, RULE, FIX), { jobId: 7 }],
    [new UnknownOptionError('add', 'dealy', ['delay']), { where: 'add', option: 'dealy', known: ['delay'] }],
    [new InvalidOptionsError('add', null, []), { where: 'add' }],
    [new UnknownJobStateError('done'), { state: 'done' }],
    [new JobNotFoundError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new WrongJobStateError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [
      new JobCancelledError('a', 'email', 'why'),
      { jobId: 'a', queueName: 'email', reason: 'why', failedReason: 'job was cancelled: why' },
    ],
    [
      new JobCancelledError('a', 'email', undefined),
      { reason: undefined, failedReason: 'job was cancelled' },
    ],
    [new JobLeasedError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new OutstandingIterationError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new QueueNotPausedError('email'), { queueName: 'email' }],
    [new QueueActiveError('email'), { queueName: 'email' }],
    [
      new JobNotMovedError('DelayedError', 'a', 'email'),
      { thrown: 'DelayedError', jobId: 'a', queueName: 'email' },
    ],
    [new MissingProcessorError('email'), { queueName: 'email' }],
    [new LeaseLostError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new UnfinishedChildrenError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new UnreadableDataError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new FailedChildrenError('a', 'email'), { jobId: 'a', queueName: 'email' }],
    [new WorkerClosingError('email'), { queueName: 'email' }],
    [new StaleCallError('w0', 41), { channel: 'w0', sequence: 41 }],
    [new CallExpiredError('a3', 12.5), { channel: 'a3', lateBy: 12.5 }],
    [new OutcomeUnknownError('add'), { call: 'add' }],
    [new ConnectionLostError('Redis', true), { requestSent: true }],
    [new ConnectionLostError('Redis', false), { requestSent: false }],
    [new StoreUnavailableError('Redis', 'LOADING'), { reply: 'LOADING' }],
    [new CommandForbiddenError('Redis', 'evalsha'), { command: 'evalsha' }],
    [new UnsupportedServerError('Redis', '6.0.16', 'Redis 6.2'), { version: '6.0.16' }],
    [new InvalidBackendUrlError('port', RULE, FIX), { part: 'port' }],
    [new MissingDriverError('redis', 'ioredis'), { driver: 'ioredis' }],
  ])('%p', (error, properties) => {
    expect(error).toMatchObject(properties);
  });

  it('is the cause, where there is one', () => {
    const cause = new Error('ECONNRESET');
    expect(new ConnectionLostError('Redis', true, { cause }).cause).toBe(cause);
    expect(new OutcomeUnknownError('add', { cause }).cause).toBe(cause);
    expect(new UnserializableDataError('data', 'send', 'it is odd', { cause }).cause).toBe(cause);
    expect(new MissingDriverError('redis', 'ioredis', { cause }).cause).toBe(cause);
    expect(new StoreReadOnlyError('Redis', { cause }).cause).toBe(cause);
    expect(new StoreFullError('Redis', { cause }).cause).toBe(cause);
    expect(new StoreUnavailableError('Redis', 'LOADING', { cause }).cause).toBe(cause);
    expect(new LoginRefusedError('Redis', { cause }).cause).toBe(cause);
    expect(new CommandForbiddenError('Redis', 'evalsha', { cause }).cause).toBe(cause);
    expect(new UnsupportedServerError('Redis', '6', 'Redis 6.2', { cause }).cause).toBe(cause);
    expect(new UnrecoverableError('no', { cause }).cause).toBe(cause);
    expect(new JobNotMovedError('DelayedError', 'a', 'email', { cause }).cause).toBe(cause);
    expect(new JobCancelledError('a', 'email', undefined, { cause }).cause).toBe(cause);
    expect('cause' in new ConnectionLostError('Redis', true)).toBe(false);
  });

  it('is never what may be a payload or a URL in the wrong place, however the error is printed', () => {
    const payload = { card: '4111 1111' };
    for (const error of [
      new InvalidJobNameError(payload),
      new InvalidQueueNameError(URL_WITH_PASSWORD),
      new InvalidRedisOptionError('url', URL_WITH_PASSWORD, RULE, FIX),
      new InvalidRedisOptionError('connection', { host: 'a', password: 'pa55word' }, RULE, FIX),
      new InvalidRedisOptionError('client', { options: { password: 'pa55word' } }, RULE, FIX),
    ]) {
      expect(inspect(error, { showHidden: true, depth: null })).not.toMatch(/4111|pa55word/);
    }
  });
});

describe('ConnectionLostError', () => {
  it('says whether the call may have reached the store', () => {
    expect(new ConnectionLostError('Redis', false).message).not.toContain('reply');
    expect(new ConnectionLostError('Redis', true).message).toContain(
      'could not be reached, or its reply was lost.',
    );
  });
});

describe('OutcomeUnknownError', () => {
  it('advises a job id for adds alone', () => {
    expect(new OutcomeUnknownError('addBulk').message).toContain('with the same jobId');
    expect(new OutcomeUnknownError('updateProgress').message).toMatch(/changed, or repeat the call\.$/);
  });
});

describe('ConnectionLostError with a cause', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'DEPTH_ZERO_SELF_SIGNED_CERT'])('names its code: %s', (code) => {
    const cause = Object.assign(new Error('secret'), { code });
    const { message } = new ConnectionLostError('Redis', false, { cause });

    expect(message).toMatch(new RegExp(` The reason was ${code}\\.$`));
    expect(message).not.toContain('secret');
  });

  it.each([
    undefined,
    null,
    new Error('closed'),
    new ConnectionLostError('Redis', false),
    { code: 'a b' },
    { code: 7 },
  ])('says nothing of others: %p', (cause) => {
    expect(new ConnectionLostError('Redis', false, { cause }).message).toMatch(/address is right\.$/);
  });
});

describe('the errors of a store', () => {
  it.each([
    [new ConnectionLostError(SERVER, false), true],
    [new StoreReadOnlyError(SERVER), true],
    [new StoreUnavailableError(SERVER, 'LOADING'), true],
    [new StoreFullError(SERVER), false],
    [new LoginRefusedError(SERVER), false],
    [new CommandForbiddenError(SERVER, 'evalsha'), false],
    [new UnsupportedServerError(SERVER, '6.0.16', 'Redis 6.2'), false],
  ])('have a base, and tell whether waiting may help: %p', (error, passesSoon) => {
    expect(error).toBeInstanceOf(StoreError);
    expect(error.passesSoon).toBe(passesSoon);
  });

  it('tell keys that are forbidden from commands', () => {
    expect(new CommandForbiddenError(SERVER, undefined).message).toBe(
      `${SERVER} does not let its user reach a key of the queue, or run a command that scripts need. The call changed ` +
        'nothing. Allow the user all keys that begin with the prefix, and reading and writing, or log in as another one.',
    );
  });
});

describe('InvalidRedisOptionError', () => {
  it.each([
    ['url', URL_WITH_PASSWORD, '"…"'],
    ['url', '', '""'],
    ['url', 5, '5'],
    ['connection', { password: 'pa55word' }, 'an object'],
    ['client', null, 'null'],
    ['prefix', 'a:', '"a:"'],
  ])('shows of %s what it may: %p', (option, value, shown) => {
    const error = new InvalidRedisOptionError(option, value, RULE, FIX);
    expect(error.message).toBe(`Option "${option}" is ${shown}; it must be what is accepted. What to do.`);
  });
});

describe('InvalidQueueNameError', () => {
  it.each([
    [undefined, 'Check the variable that the name comes from: it is not set.'],
    [null, 'Check the variable that the name comes from: it is not set.'],
    ['undefined', 'Check the variable that the name comes from: it is not set.'],
    ['', 'Give a name such as "email"; if this one comes from a variable, that is not set.'],
    [5, 'Give a name such as "email".'],
    ['a:b:c', 'Use another separator, such as "a-b-c".'],
    [URL_WITH_PASSWORD, 'A URL belongs into the option "backend"; give the name of the queue here.'],
  ])('tells how to mend %p', (name, fix) => {
    expect(new InvalidQueueNameError(name).message.endsWith(fix)).toBe(true);
  });
});

describe('UnknownBackendUrlError', () => {
  it.each([
    ['', 'The backend URL is empty.'],
    [undefined, 'The backend URL is not a text but of type undefined.'],
    ['jobs', 'The backend URL does not begin with a scheme.'],
    ['admin:pa55word@queue.example', 'The backend URL does not begin with a scheme.'],
    ['//admin:pa55word@queue.example', 'The backend URL does not begin with a scheme.'],
    ['mysql://admin:pa55word@db', 'No backend has URLs that begin with "mysql:".'],
  ])('says what is wrong with %p, and shows no more than its scheme', (url, found) => {
    expect(new UnknownBackendUrlError(url, ['memory', 'redis']).message).toBe(
      `${found} A backend URL begins with one of: memory:, redis:. Correct the URL, or give a backend as a value, ` +
        'such as memory().',
    );
  });
});

describe('UnknownJobStateError', () => {
  it.each([undefined, null, 5, {}, 'waitttttttttt'])('suggests nothing for %p', (state) => {
    expect(new UnknownJobStateError(state).message).not.toContain('Did you mean');
  });
});

describe.each([
  ['UnrecoverableError', UnrecoverableError, 'bullmq:unrecoverable'],
  ['DelayedError', DelayedError, 'bullmq:movedToDelayed'],
  ['WaitingError', WaitingError, 'bullmq:movedToWait'],
])('%s', (name, ControlError, message) => {
  it('is known by its name, and has the message that BullMQ gives it', () => {
    const cause = new Error('closed today');
    expect(new ControlError()).toMatchObject({ name, message });
    expect(new ControlError()).not.toBeInstanceOf(LaneError);
    expect(new ControlError('not now', { cause })).toMatchObject({ message: 'not now', cause });
    class NoSuchUser extends ControlError {}
    expect(new NoSuchUser().name).toBe(name);
  });
});

describe('NewerVersionError', () => {
  it('fails a job for good, with an outcome code and a way out', () => {
    const error = new NewerVersionError('send', 'email', 3, 2);
    expect(error).toBeInstanceOf(UnrecoverableError);
    expect(error).toMatchObject({ outcomeCode: 'newer-version', version: 3, known: 2 });
    expect(error.message).toContain('Deploy the definition that has version 3');
  });
});

describe('NoHandlerError', () => {
  it('fails a job for good, with an outcome code and a way out', () => {
    const error = new NoHandlerError('sned', 'email', ['send', 'receive']);
    expect(error).toBeInstanceOf(UnrecoverableError);
    expect(error).toMatchObject({
      name: 'UnrecoverableError',
      outcomeCode: 'no-handler',
      jobName: 'sned',
      queueName: 'email',
    });
    expect(error.message).toBe(
      'No handler takes job "sned" of queue "email". Handlers exist for: send, receive. Add @Process("sned") to a ' +
        'method of its processor, or @Process() for every other name.',
    );
    expect(new NoHandlerError('send', 'email', []).message).toContain('There are no handlers.');
  });

  it('cuts long names and breaks no line', () => {
    expect(new NoHandlerError(LONG, LONG, []).message.length).toBeLessThan(500);
    expect(new NoHandlerError('a\nb', 'c\nd', []).message).not.toContain('\n');
  });
});

describe('InvalidDataError', () => {
  it('fails a job for good, and says which field is wrong', () => {
    const cause = new Error('400');
    const issues = [
      { path: 'to', message: 'must be an email.' },
      { path: '', message: 'has\ntoo much' },
    ];
    const error = new InvalidDataError('send', 'email', issues, { cause });
    expect(error).toBeInstanceOf(UnrecoverableError);
    expect(error).toMatchObject({
      name: 'UnrecoverableError',
      code: 'LANE_INVALID_DATA',
      outcomeCode: 'invalid',
      jobName: 'send',
      queueName: 'email',
      issues,
      cause,
    });
    expect(error.message).toBe(
      'The data of job "send" of queue "email" is invalid: to: must be an email; has too much. Correct it where the ' +
        'job is added.',
    );
  });

  it('is short, however much is wrong', () => {
    const issues = Array.from({ length: 12 }, () => ({ path: 'to', message: LONG }));
    const { message } = new InvalidDataError(LONG, LONG, issues);
    expect(message.length).toBeLessThan(2_500);
    expect(message).toContain('…; 2 more. Correct');
  });
});

describe('JobRejectedError', () => {
  it('fails a job for good, and says whose guard it was', () => {
    const error = new JobRejectedError('send', 'email', 'EmailProcessor.send');
    expect(error).toBeInstanceOf(UnrecoverableError);
    expect(error).toMatchObject({
      name: 'UnrecoverableError',
      code: 'LANE_JOB_REJECTED',
      outcomeCode: 'rejected',
      jobName: 'send',
      queueName: 'email',
    });
    expect(error.message).toBe(
      'A guard of EmailProcessor.send has rejected job "send" of queue "email". It is not tried again by itself; ' +
        'job.retry() has it run once more.',
    );
  });
});
