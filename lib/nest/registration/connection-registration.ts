import type { LaneBackend } from '../../contract/queue-backend';
import { checkFlag } from '../../model/flag';
import type { ResolvedShutdownOptions, ShutdownOptions } from '../../model/worker-options';
import { resolveShutdownOptions } from '../../model/worker-options';
import { checkHeaderName } from '../../model/job-headers';
import { isUnsetName } from '../../model/unset-name';
import type { SurroundingHeaders } from '../context/surrounding-headers';
import { bullmqConnection, notABackend, notACapture, notHeaderNames } from '../messages/option.messages';
import { badConnectionName } from '../messages/registration.messages';
import { DEFAULT_CONNECTION } from '../lane.tokens';
import type { LaneEnhancers } from '../options/enhancer-options';
import type { LaneModuleOptions } from '../options/lane-module-options';
import {
  HEADER_OPTION_NAMES,
  LANE_MODULE_OPTION_NAMES,
  SHUTDOWN_DEFAULTS,
  TRACE_HEADERS,
} from '../options/lane-module-options';
import type { QueueDefaults } from '../options/queue-defaults';
import type { CheckedEnhancers } from './checked-enhancers';
import { checkEnhancers } from './checked-enhancers';
import { checkDefaults, sameMeaning } from './checked-options';
import type { CheckedWork } from './checked-work';
import { checkWork } from './checked-work';
import { OptionProblems } from './option-problems';

const SHUTDOWN_OPTION_NAMES: readonly (keyof ShutdownOptions)[] = ['drain', 'abort', 'close'];

/**
 * What one call of `forRoot` said, checked.
 *
 * @internal
 */
export class ConnectionRegistration {
  readonly problems: OptionProblems;
  readonly name: string;
  /** `undefined` when it was not given or cannot be used. */
  readonly backend: LaneBackend | string | undefined;
  /** Nobody has tried to give one. */
  readonly isWithoutBackend: boolean;
  readonly defaults: QueueDefaults;
  readonly enhancers: CheckedEnhancers;
  readonly shutdown: ResolvedShutdownOptions;
  /** `undefined` when it was not given or cannot be used. */
  readonly requireConnection: boolean | undefined;
  readonly strictHandlers: boolean;
  readonly headers: SurroundingHeaders;
  readonly work: CheckedWork;
  readonly #meaning: unknown;

  /**
   * @param call - such as `LaneModule.forRoot()`
   * @param name - of the connection
   */
  constructor(
    readonly call: string,
    name: unknown,
    options: unknown,
  ) {
    this.problems = new OptionProblems(call);
    this.name = this.#checkName(name);
    const {
      backend,
      defaults = {},
      enhancers = {},
      shutdown = {},
      requireConnection,
      strictHandlers,
      headers = {},
      ...work
    } = this.problems.known(options, LANE_MODULE_OPTION_NAMES, undefined, {
      connection: () => bullmqConnection('forRoot'),
    });
    // What else is wrong so far may be why: the backend was given under another name.
    this.isWithoutBackend = backend === undefined && this.problems.isEmpty;
    this.backend = this.#checkBackend(backend);
    const { given, meaning } = checkDefaults(defaults, this.problems);
    this.defaults = given;
    this.enhancers = checkEnhancers(enhancers, this.problems);
    this.shutdown = this.#checkShutdown(shutdown);
    this.requireConnection = this.#checkFlag('requireConnection', requireConnection);
    this.strictHandlers = this.#checkFlag('strictHandlers', strictHandlers) ?? false;
    this.headers = this.#checkHeaders(headers);
    this.work = checkWork(work, this.problems);
    this.#meaning = {
      ...meaning,
      ...this.work,
      enhancers: this.enhancers,
      shutdown: this.shutdown,
      requireConnection: this.requireConnection,
      strictHandlers: this.strictHandlers,
      headers: this.headers,
    };
  }

  /** What was given and is right, with the defaults. */
  get options(): LaneModuleOptions {
    const {
      backend,
      defaults,
      enhancers,
      shutdown,
      requireConnection = true,
      strictHandlers,
      headers,
      work,
    } = this;
    return {
      backend,
      defaults,
      enhancers: { ...enhancers.given, inherit: enhancers.inherit } as LaneEnhancers,
      shutdown,
      requireConnection,
      strictHandlers,
      headers,
      ...work,
    };
  }

  /** Whether the other call asked for the same. */
  agreesWith(other: ConnectionRegistration): boolean {
    return this.backend === other.backend && sameMeaning(this.#meaning, other.#meaning);
  }

  #checkName(name: unknown): string {
    if (typeof name === 'string' && name.trim() !== '' && !isUnsetName(name)) {
      return name;
    }
    this.problems.add(badConnectionName(name));
    return DEFAULT_CONNECTION;
  }

  #checkBackend(backend: unknown): LaneBackend | string | undefined {
    if (backend === undefined) {
      return undefined;
    }
    if (typeof backend === 'string' || isBackend(backend)) {
      return backend;
    }
    this.problems.add(notABackend(backend));
    return undefined;
  }

  #checkFlag(option: string, value: unknown): boolean | undefined {
    return value === undefined ? undefined : this.problems.check(() => checkFlag(option, value));
  }

  #checkHeaders(headers: unknown): SurroundingHeaders {
    const { propagate = TRACE_HEADERS, capture } = this.problems.known(
      headers,
      HEADER_OPTION_NAMES,
      'headers',
    );
    const names = Array.isArray(propagate)
      ? propagate.map((name) => this.problems.check(() => checkHeaderName(name), 'headers'))
      : [];
    if (!Array.isArray(propagate)) {
      this.problems.add(notHeaderNames(propagate), 'headers');
    }
    if (capture !== undefined && typeof capture !== 'function') {
      this.problems.add(notACapture(capture), 'headers');
    }
    return {
      propagate: names.filter((name) => name !== undefined),
      capture: capture as SurroundingHeaders['capture'],
    };
  }

  #checkShutdown(shutdown: unknown): ResolvedShutdownOptions {
    const given = this.problems.known(shutdown, SHUTDOWN_OPTION_NAMES, 'shutdown');
    for (const [name, value] of Object.entries(given)) {
      const check = (): unknown => resolveShutdownOptions({ [name]: value }, 'shutdown');
      if (this.problems.check(check, 'shutdown') === undefined) {
        delete given[name];
      }
    }
    return resolveShutdownOptions({ ...SHUTDOWN_DEFAULTS, ...given }, 'shutdown');
  }
}

function isBackend(value: unknown): value is LaneBackend {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<LaneBackend>).openQueue === 'function'
  );
}
