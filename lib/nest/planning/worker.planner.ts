import { Inject, Injectable } from '@nestjs/common';

import type { QueueDefinition } from '../../engine/definition/queue-definition';
import { ProcessorExplorer } from '../discovery/processor.explorer';
import type { FoundProcessor } from '../discovery/processor.explorer';
import { RegistrationExplorer } from '../discovery/registration.explorer';
import type { FoundRegistrations } from '../discovery/registration.explorer';
import type { ConfigProblem } from '../errors/config-problem';
import { warningOf } from '../errors/config-problem';
import type { KnownQueue } from '../messages/processor.messages';
import { idlePipe } from '../messages/enhancer.messages';
import {
  definitionConflict,
  duplicateHandler,
  handlerMissing,
  lateOption,
  lateProcessor,
  providedTwice,
  queueUnknown,
  workerConflict,
} from '../messages/processor.messages';
import { getQueueToken } from '../lane.tokens';
import { LaneResources } from '../lifecycle/lane-resources';
import type { ProcessorOptions } from '../options/queue-defaults';
import { RETENTION_DEFAULTS } from '../options/queue-defaults';
import { checkLease, sameMeaning } from '../registration/checked-options';
import { worksOn } from '../registration/checked-work';
import { OptionProblems } from '../registration/option-problems';
import type { QueueRegistration } from '../registration/queue-registration';
import { labelOf } from './class-check';
import { groupBy } from './group-by';
import type { PlannedExhausted, PlannedHandler, PlannedListener, PlannedProcessor } from './processor-check';
import { checkProcessor } from './processor-check';
import type { PlannedQueueListener } from './queue-listener-check';
import { checkQueueListener } from './queue-listener-check';
import { checkRegistrations, knownQueues } from './registration-check';

/**
 * The one worker that a queue is to have in this process.
 *
 * @internal
 */
export interface WorkerPlan {
  readonly queue: string;
  /** `undefined` for a queue that is registered by its name. */
  readonly definition: QueueDefinition | undefined;
  readonly connection: string;
  readonly options: ProcessorOptions;
  readonly handlers: readonly PlannedHandler[];
  readonly listeners: readonly PlannedListener[];
  readonly exhausted: readonly PlannedExhausted[];
  /** The classes that it is made of. */
  readonly processors: readonly PlannedProcessor[];
}

/** @internal */
export interface Plan {
  readonly workers: readonly WorkerPlan[];
  /** One for each object that hears the events of a queue. */
  readonly listeners: readonly PlannedQueueListener[];
  readonly connections: FoundRegistrations['connections'];
  /** All that is wrong; with any of it, nothing is started. */
  readonly problems: readonly ConfigProblem[];
  /** What works, but probably not as meant. */
  readonly warnings: readonly string[];
}

/**
 * Decides, from what the modules registered and the classes say, which workers there are to be, and finds all that
 * is wrong with it.
 *
 * @internal
 */
@Injectable()
export class WorkerPlanner {
  /** The providers that are planned for. */
  #taken: readonly FoundProcessor[] = [];
  readonly #told = new Set<object>();

  constructor(
    @Inject(RegistrationExplorer) private readonly registrations: RegistrationExplorer,
    @Inject(ProcessorExplorer) private readonly processors: ProcessorExplorer,
    @Inject(LaneResources) private readonly resources: LaneResources,
  ) {}

  /** The plan of the start. */
  plan(): Plan {
    this.#taken = this.processors.explore();
    const plan = this.#planOf(this.#taken);
    return { ...plan, warnings: [...this.#taken.flatMap(warningsOf), ...plan.warnings] };
  }

  /** What is wrong with connections and queues, those too that came after the start. */
  checkLateRegistrations(): ConfigProblem[] {
    return checkRegistrations(this.#registered());
  }

  /**
   * The plan for processors that came after the start. Where nothing is wrong, they count as planned from now on.
   *
   * @param modules - nodes of the module graph that they are looked for in
   * @param present - the plan of a worker that there is
   * @returns workers that there are to be, or that there are and get more handlers
   */
  planLate(
    modules: ReadonlySet<object>,
    present: (queue: string, connection: string) => WorkerPlan | undefined,
  ): Plan {
    const late = this.#late().filter(({ host }) => host !== undefined && modules.has(host));
    const all = [...this.#taken, ...late];
    const { workers, connections, listeners, problems } = this.#planOf(all);
    const changed = workers.filter(({ processors }) => processors.some(({ found }) => late.includes(found)));
    const conflicts = changed.flatMap((plan) =>
      lateOptions(plan, present(plan.queue, plan.connection), late),
    );
    if (problems.length === 0 && conflicts.length === 0) {
      this.#taken = all;
    }
    return {
      workers: changed,
      connections,
      listeners: listeners.filter(({ found }) => late.includes(found)),
      problems: [...problems, ...conflicts],
      warnings: late.flatMap(warningsOf),
    };
  }

  /** Tells of each processor that came after the start and was not planned, once. */
  takeUnregistered(): string[] {
    const late = this.#late().filter((found) => !this.#told.has(found.target));
    late.forEach(({ target }) => this.#told.add(target));
    return late.map((found) =>
      warningOf(lateProcessor(found.className, found.moduleName, !hasToDoWithJobs(found))),
    );
  }

  #late(): FoundProcessor[] {
    return this.processors
      .explore()
      .filter(
        ({ host, token }) => !this.#taken.some((taken) => taken.host === host && taken.token === token),
      );
  }

  /** What modules have registered, and what was made while the application runs. */
  #registered(): FoundRegistrations {
    const { connections, queues } = this.registrations.explore();
    const atRunTime = this.resources.queues
      .filter(({ isRunTime }) => isRunTime)
      .map(({ registration }) => ({ registration, modules: [], hosts: [] }));
    return { connections, queues: [...queues, ...atRunTime] };
  }

  #planOf(found: readonly FoundProcessor[]): Plan {
    const registered = this.#registered();
    const problems: ConfigProblem[] = [...checkRegistrations(registered)];
    const known = knownQueues(registered.queues);
    const processors = found.filter(hasToDoWithJobs).flatMap((one) => checkProcessor(one, problems) ?? []);
    const listeners = found
      .filter(hasToDoWithEvents)
      .flatMap((one) => checkQueueListener(one, problems) ?? []);
    problems.push(
      ...unregistered('works on', processors, known),
      ...unregistered('listens to', listeners, known),
    );
    const distinct = withoutCopies(
      processors.filter(({ queue }) => queue !== ''),
      'handlers',
      problems,
    );
    const workers = [
      ...groupBy(distinct, ({ queue, connection }) => getQueueToken(queue, connection)).values(),
    ].map((group) => planWorker(group, registered, problems));
    // A processor that listens too has been told of already.
    withoutCopies(
      listeners.filter(({ found: { processor } }) => processor === undefined),
      'listeners',
      problems,
    );
    const { strict, lax } = missingHandlers(workers, registered);
    problems.push(...strict);
    return {
      workers,
      connections: registered.connections,
      listeners,
      problems,
      warnings: lax.map(warningOf),
    };
  }
}

/** Options of processors that came late, of a worker that is there already and has others. */
function lateOptions(
  { queue, connection, options, processors }: WorkerPlan,
  present: WorkerPlan | undefined,
  late: readonly FoundProcessor[],
): ConfigProblem[] {
  if (present === undefined) {
    return [];
  }
  return processors
    .filter(({ found }) => late.includes(found))
    .flatMap(({ found, place, options: { given } }) =>
      (Object.keys(given) as (keyof ProcessorOptions)[])
        .filter((option) => !sameMeaning(options[option], present.options[option]))
        .map((option) => ({ ...lateOption(found.className, queue, connection, option), where: [place] })),
    );
}

/** A class with the decorators of jobs, whichever of them; without any, it is there for events alone. */
function hasToDoWithJobs({ processor, handlers, listeners, exhausted }: FoundProcessor): boolean {
  return processor !== undefined || [handlers, listeners, exhausted].flat().length > 0;
}

function hasToDoWithEvents({ queueListener, queueEvents }: FoundProcessor): boolean {
  return queueListener !== undefined || queueEvents.length > 0;
}

function unregistered(
  verb: string,
  users: readonly Pick<PlannedProcessor, 'found' | 'queue' | 'connection' | 'place'>[],
  known: readonly KnownQueue[],
): ConfigProblem[] {
  const tokens = known.map(({ name, connection }) => getQueueToken(name, connection));
  return users
    .filter(({ queue, connection }) => queue !== '' && !tokens.includes(getQueueToken(queue, connection)))
    .map(({ found, queue, connection, place }) => ({
      ...queueUnknown(`${found.className} ${verb}`, found.moduleName, queue, connection, known),
      where: [place],
    }));
}

/** A class that two modules provide would handle everything twice over; told once, its copies are left out. */
function withoutCopies<Planned extends Pick<PlannedProcessor, 'found' | 'place'>>(
  all: readonly Planned[],
  what: 'handlers' | 'listeners',
  problems: ConfigProblem[],
): Planned[] {
  return [...groupBy(all, ({ found }) => found.target).values()].map((copies) => {
    const [first] = copies;
    if (copies.length > 1) {
      problems.push({
        ...providedTwice(first!.found.className, what),
        where: copies.map(({ place }) => place),
      });
    }
    return first!;
  });
}

function planWorker(
  processors: readonly PlannedProcessor[],
  registered: FoundRegistrations,
  problems: ConfigProblem[],
): WorkerPlan {
  const { queue, connection } = processors[0]!;
  const handlers = processors.flatMap((processor) => processor.handlers);
  const registration = registered.queues.find(
    (one) => one.registration.name === queue && one.registration.connection === connection,
  )?.registration;
  const options = {
    ...RETENTION_DEFAULTS,
    ...registered.connections.find(({ registration }) => registration.name === connection)?.registration
      .defaults.worker,
    ...registration?.defaults.worker,
    ...Object.assign({}, ...processors.map(({ options }) => options.given)),
  } as ProcessorOptions;
  problems.push(
    ...duplicates(handlers, queue, connection),
    ...optionConflicts(processors),
    ...definitionConflicts(processors, registration),
    ...leaseProblems(options, processors),
  );
  return {
    queue,
    definition: registration?.definition,
    connection,
    options,
    handlers,
    listeners: processors.flatMap(({ listeners }) => listeners),
    exhausted: processors.flatMap(({ exhausted }) => exhausted),
    processors,
  };
}

function duplicates(handlers: readonly PlannedHandler[], queue: string, connection: string): ConfigProblem[] {
  return [...groupBy(handlers, ({ name }) => name)]
    .filter(([, ofName]) => ofName.length > 1)
    .map(([name, ofName]) => ({
      ...duplicateHandler(name, queue, connection),
      where: ofName.map(({ label }) => label),
    }));
}

function optionConflicts(processors: readonly PlannedProcessor[]): ConfigProblem[] {
  const { queue, connection } = processors[0]!;
  const asked = new Map<string, PlannedProcessor>();
  return processors.flatMap((processor) =>
    Object.entries(processor.options.meaning).flatMap(([option, meaning]) => {
      const first = asked.get(option);
      if (first === undefined) {
        asked.set(option, processor);
        return [];
      }
      return sameMeaning(first.options.meaning[option], meaning)
        ? []
        : [{ ...workerConflict(queue, connection, option), where: [first.place, processor.place] }];
    }),
  );
}

/** The two options may come from different places: the classes, the queue, the connection. */
function leaseProblems(options: ProcessorOptions, processors: readonly PlannedProcessor[]): ConfigProblem[] {
  const found = new OptionProblems('@Processor');
  found.check(() => checkLease(options));
  return found.at(processors.map(({ place }) => place).join(', '));
}

/** What a class or handler was given has to be what the queue is registered with, since that is what counts. */
function definitionConflicts(
  processors: readonly PlannedProcessor[],
  registration: QueueRegistration | undefined,
): ConfigProblem[] {
  if (registration === undefined) {
    return [];
  }
  const { definition, call } = registration;
  const differs = ({ queue, definition: given, handlers }: PlannedProcessor): boolean =>
    (given !== undefined && given !== definition) ||
    handlers.some(({ job }) => job?.queue === queue && definition?.jobs[job.name] !== job);
  return processors.filter(differs).map(({ found, queue, connection, place }) => ({
    ...definitionConflict(found.className, queue, connection),
    where: [place, call],
  }));
}

/** Names of definitions that no handler takes, where this process works on their queues. */
function missingHandlers(
  workers: readonly WorkerPlan[],
  { connections }: FoundRegistrations,
): { strict: ConfigProblem[]; lax: ConfigProblem[] } {
  const missing = workers.flatMap(({ queue, connection, definition, handlers }) => {
    const of = connections.find(({ registration }) => registration.name === connection)?.registration;
    const names = handlers.map(({ name }) => name);
    if (
      definition === undefined ||
      of === undefined ||
      !worksOn(of.work, queue) ||
      names.includes(undefined)
    ) {
      return [];
    }
    const without = Object.keys(definition.jobs).filter((name) => !names.includes(name));
    const problem = {
      ...handlerMissing(without, queue, connection),
      where: [...new Set(handlers.map(({ label }) => label))],
    };
    return without.length === 0 ? [] : [{ isStrict: of.strictHandlers, problem }];
  });
  return {
    strict: missing.flatMap(({ isStrict, problem }) => (isStrict ? problem : [])),
    lax: missing.flatMap(({ isStrict, problem }) => (isStrict ? [] : problem)),
  };
}

function idlePipes(found: FoundProcessor): string[] {
  return found.idlePipes.map((method) => idlePipe(labelOf(found, method)));
}

function warningsOf(found: FoundProcessor): string[] {
  return [...overridesWithoutDecorator(found), ...idlePipes(found)];
}

function overridesWithoutDecorator(found: FoundProcessor): string[] {
  return found.undecoratedOverrides.map(
    (method) =>
      `${labelOf(found, method)} overrides a method with @Process and has none itself; it handles the jobs of the ` +
      'method it overrides. Put @Process on it to say so.',
  );
}
