import type { FoundRegistrations, Placed } from '../discovery/registration.explorer';
import type { ConfigProblem } from '../errors/config-problem';
import type { KnownQueue } from '../messages/processor.messages';
import {
  connectionConflict,
  noConnection,
  queueConflict,
  workedQueueUnknown,
} from '../messages/registration.messages';
import { getQueueToken } from '../lane.tokens';
import { namedQueues } from '../registration/checked-work';
import type { QueueRegistration } from '../registration/queue-registration';
import { groupBy } from './group-by';

interface Registration {
  readonly call: string;
  agreesWith(other: this): boolean;
}

/**
 * What is wrong with connections and queues: their options, queues whose connection is missing, registrations that
 * do not agree.
 *
 * @internal
 */
export function checkRegistrations({ connections, queues }: FoundRegistrations): ConfigProblem[] {
  const names = [...new Set(connections.map(({ registration }) => registration.name))];
  return [
    ...connections.flatMap((placed) => placed.registration.problems.at(placeOf(placed))),
    ...disagreements(
      connections,
      ({ name }) => name,
      ({ name }) => connectionConflict(name),
    ),
    ...queues.flatMap((placed) => placed.registration.problems.at(placeOf(placed))),
    ...queues
      .filter(({ registration }) => registration.name !== '' && !names.includes(registration.connection))
      .map((placed) => ({
        ...noConnection(placed.registration.name, placed.registration.connection, names),
        where: [placeOf(placed)],
      })),
    ...disagreements(
      queues.filter(({ registration }) => registration.name !== ''),
      tokenOf,
      ({ name, connection }) => queueConflict(name, connection),
    ),
    ...unknownWork({ connections, queues }),
  ];
}

/** Queues that a process is to work on, or not to, and that there are not. */
function unknownWork({ connections, queues }: FoundRegistrations): ConfigProblem[] {
  return connections.flatMap((placed) => {
    const { name, work } = placed.registration;
    const known = [
      ...new Set(
        queues
          .filter(({ registration }) => registration.connection === name && registration.name !== '')
          .map(({ registration }) => registration.name),
      ),
    ];
    const option = work.queues?.only === undefined ? 'except' : 'only';
    return namedQueues(work)
      .filter((queue) => !known.includes(queue))
      .map((queue) => ({
        ...workedQueueUnknown(queue, name, option, known),
        where: [`queues of ${placeOf(placed)}`],
      }));
  });
}

/**
 * The queues that are registered, each once.
 *
 * @internal
 */
export function knownQueues(queues: readonly Placed<QueueRegistration>[]): KnownQueue[] {
  return [...groupBy(queues, ({ registration }) => tokenOf(registration)).values()].map((group) => {
    const { name, connection } = group[0]!.registration;
    return { name, connection, modules: group.flatMap(({ modules }) => modules).join(', ') };
  });
}

function tokenOf({ name, connection }: QueueRegistration): string {
  return getQueueToken(name, connection);
}

/** One problem for each registration that asks for something else than the first one of its kind. */
function disagreements<R extends Registration>(
  placed: readonly Placed<R>[],
  keyOf: (registration: R) => string,
  problem: (registration: R) => ConfigProblem,
): ConfigProblem[] {
  return [...groupBy(placed, ({ registration }) => keyOf(registration)).values()].flatMap(
    ([first, ...others]) =>
      others
        .filter((other) => !first!.registration.agreesWith(other.registration))
        .map((other) => ({
          ...problem(other.registration),
          where: [placeOf(first!), placeOf(other)],
        })),
  );
}

function placeOf({ registration, modules }: Placed<{ readonly call: string }>): string {
  return modules.length === 0 ? registration.call : `${registration.call} in ${modules.join(' and ')}`;
}
