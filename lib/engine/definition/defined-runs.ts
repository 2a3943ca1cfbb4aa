import { InvalidDataError } from '../../model/errors/invalid-data.error';
import { NewerVersionError } from '../../model/errors/newer-version.error';
import { textProperty } from '../../model/errors/text-property';
import { validate } from '../../model/schema-validation';
import { after, isThenable } from '../../model/thenable';
import type { Job } from '../job';
import { asError } from '../runtime/safe-emitter';
import { release } from '../worker/outcome-values';
import type { DefinedJob, QueueDefinition } from './queue-definition';

/**
 * Brings the data of jobs that are about to run into the form that their definition has for handlers.
 *
 * @internal
 */
export class DefinedRuns {
  readonly #jobs: ReadonlyMap<string, DefinedJob>;

  constructor(definition: QueueDefinition) {
    this.#jobs = new Map(Object.entries(definition.jobs));
  }

  /**
   * Brings the data of a job up to date and validates it. Jobs of names that the definition does not have are left as
   * they are.
   *
   * @returns a promise only where `upcast` or the schema is asynchronous
   * @throws InvalidDataError, UnreadableDataError, or what the schema throws
   * @throws what holds a job of a newer version back, as one without a handler; when that was often enough,
   * NewerVersionError
   */
  prepare(job: Job): void | Promise<void> {
    const defined = this.#jobs.get(job.name);
    if (defined === undefined) {
      return;
    }
    const { version = 1, schema, validate: when = 'both' } = defined;
    const stored = job.version ?? 1;
    if (stored > version) {
      throw holdBack(job, stored, version);
    }
    const isOld = stored < version && defined.upcast !== undefined;
    const isValidated = schema !== undefined && (when === 'run' || when === 'both');
    if (!isOld && !isValidated) {
      return;
    }
    const current = isOld ? upcast(defined, job.data, stored) : (job.data as unknown);
    const made = isValidated
      ? after(current, (data) => after(validate(schema, data), (result) => valueOf(job, result)))
      : current;
    return after(made, (data) => job.showData(data));
  }
}

/** While a new version is deployed, processes with the old one leave its jobs to those that know them. */
function holdBack(job: Job, version: number, known: number): unknown {
  return release(job.unhandled) ?? new NewerVersionError(job.name, job.queueName, version, known);
}

function valueOf(job: Job, { value, issues }: Awaited<ReturnType<typeof validate>>): unknown {
  if (issues !== undefined) {
    throw new InvalidDataError(job.name, job.queueName, issues);
  }
  return value;
}

/** What cannot be brought up to date now cannot be later. */
function upcast({ upcast: bring, name, queue }: DefinedJob, data: unknown, stored: number): unknown {
  const failed = (thrown: unknown): never => {
    const kind = textProperty(asError(thrown), 'name') ?? 'an error';
    const message = `its upcast from version ${stored} threw ${kind}`;
    throw new InvalidDataError(name, queue, [{ path: '', message }], { cause: thrown });
  };
  try {
    const made = bring!(data, stored);
    return isThenable(made) ? made.then((known) => known, failed) : made;
  } catch (thrown) {
    return failed(thrown);
  }
}
