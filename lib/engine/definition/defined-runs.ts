import { InvalidDataError } from '../../model/errors/invalid-data.error';
import { NewerVersionError } from '../../model/errors/newer-version.error';
import { textProperty } from '../../model/errors/text-property';
import { after, isPromise, validate } from '../../model/schema-validation';
import type { Job } from '../job';
import { asError } from '../runtime/safe-emitter';
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
   * @throws InvalidDataError, NewerVersionError, UnreadableDataError, or what the schema throws
   */
  prepare(job: Job): void | Promise<void> {
    const defined = this.#jobs.get(job.name);
    if (defined === undefined) {
      return;
    }
    const { version = 1, schema, validate: when = 'both' } = defined;
    const stored = job.version ?? 1;
    if (stored > version) {
      throw new NewerVersionError(job.name, job.queueName, stored, version);
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
    return isPromise(made) ? made.then((known) => known, failed) : made;
  } catch (thrown) {
    return failed(thrown);
  }
}
