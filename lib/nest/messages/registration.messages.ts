import { showValue } from '../../model/errors/show-value';
import { nearestName } from '../../model/nearest-name';
import { isUnsetName } from '../../model/unset-name';
import type { ConfigProblem } from '../errors/config-problem';
import { capitalized, connectionNamed, forRoot, queueArgument, queueNamed, quoted } from './wording';

// What can be wrong with connections and queues.

/** @internal */
export function badConnectionName(name: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_NAME',
    message:
      `A connection is called ${showValue(name)}; ` +
      (isUnsetName(name)
        ? 'that is what comes of a variable that is not set.'
        : 'its name must be a text that is not blank.'),
    where: [],
    fix: isUnsetName(name)
      ? 'check the variable that the name comes from: it is not set.'
      : 'give a name such as "reports", or leave it out for the connection without a name; if this one comes from a variable, that is not set.',
  };
}

/**
 * @param known - connections that there are
 *
 * @internal
 */
export function noConnection(queue: string, connection: string, known: readonly string[]): ConfigProblem {
  if (known.length === 0) {
    return {
      code: 'LANE_NO_ROOT',
      message: `Queue ${quoted([queue])} is registered, but no module imports ${forRoot(connection)}.`,
      where: [],
      fix: `add ${forRoot(connection)} to the imports of the root module.`,
    };
  }
  const near = nearestName(connection, known);
  return {
    code: 'LANE_NO_CONNECTION',
    message: `Queue ${quoted([queue])} is on ${connectionNamed(connection)}, which no forRoot makes. There is: ${quoted([...known].sort())}.`,
    where: [],
    ...(near !== undefined && { hint: `Did you mean ${quoted([near])}?` }),
    fix: `correct the connection, or add ${forRoot(connection)} to the imports of the root module.`,
  };
}

/**
 * @param option - `only` or `except`
 * @param known - queues of the connection
 *
 * @internal
 */
export function workedQueueUnknown(
  queue: string,
  connection: string,
  option: string,
  known: readonly string[],
): ConfigProblem {
  const near = nearestName(queue, known);
  return {
    code: 'LANE_QUEUE_UNKNOWN',
    message:
      `Option "queues" has ${quoted([queue])} in "${option}", and ${connectionNamed(connection)} has no such queue. ` +
      (known.length === 0 ? 'It has none.' : `It has: ${quoted(known)}.`),
    where: [],
    ...(near !== undefined && { hint: `Did you mean ${quoted([near])}?` }),
    fix: `correct the name, or register the queue with LaneModule.registerQueue(${queueArgument(queue, connection)}).`,
  };
}

/** @internal */
export function connectionConflict(connection: string): ConfigProblem {
  return {
    code: 'LANE_CONNECTION_CONFLICT',
    message: `${capitalized(connectionNamed(connection))} is made twice with different options.`,
    where: [],
    fix: 'make it once, in the root module, or give one of the two a name of its own.',
  };
}

/** @internal */
export function queueConflict(queue: string, connection: string): ConfigProblem {
  return {
    code: 'LANE_QUEUE_CONFLICT',
    message: `${capitalized(queueNamed(queue, connection))} is registered with different options in two places.`,
    where: [],
    fix: 'give the same options in both, or register it in one module, export that registration and import the module.',
  };
}
