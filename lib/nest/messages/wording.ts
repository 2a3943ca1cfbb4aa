import { isQueueDefinition } from '../../engine/definition/queue-definition';
import { showValue, withoutCredentials } from '../../model/errors/show-value';
import { DEFAULT_CONNECTION } from '../lane.tokens';

// How connections, queues and options are called in sentences. A URL is easily given where a name belongs, so of every
// name the credentials are taken out.

/** How a person writes a `forRoot` of that name. @internal */
export function forRoot(connection: string): string {
  return connection === DEFAULT_CONNECTION
    ? 'LaneModule.forRoot()'
    : `LaneModule.forRoot(${asWritten(connection)})`;
}

/**
 * A connection in a sentence.
 *
 * @internal
 */
export function connectionNamed(connection: string): string {
  return connection === DEFAULT_CONNECTION ? 'the default connection' : `connection ${quoted([connection])}`;
}

/**
 * A queue in a sentence.
 *
 * @internal
 */
export function queueNamed(queue: string, connection: string): string {
  const name = `queue ${quoted([queue])}`;
  return connection === DEFAULT_CONNECTION ? name : `${name} of ${connectionNamed(connection)}`;
}

/** Names in a list, each in quotes. @internal */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${withoutCredentials(name)}"`).join(', ');
}

/** A queue as an argument of `registerQueue`. @internal */
export function queueArgument(queue: string, connection: string): string {
  return connection === DEFAULT_CONNECTION ? asWritten(queue) : objectAsWritten({ name: queue, connection });
}

/**
 * A value as it stands in the source: `'email'`.
 *
 * @internal
 */
export function asWritten(value: unknown): string {
  if (isQueueDefinition(value)) {
    return `defineQueue('${withoutCredentials(value.name)}')`;
  }
  return typeof value === 'string' ? `'${withoutCredentials(value)}'` : showValue(value);
}

/** Options whose value is a name. Any other may hold what nobody else is to see. */
const NAMING: readonly string[] = ['name', 'queue', 'connection'];

/**
 * Options as they stand in the source: names with their values, of others that they are there.
 *
 * @internal
 */
export function objectAsWritten(options: object): string {
  const entries = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) =>
      NAMING.includes(key) && (typeof value === 'string' || isQueueDefinition(value))
        ? `${key}: ${asWritten(value)}`
        : key,
    );
  return `{ ${entries.join(', ')} }`;
}

/**
 * The same words at the beginning of a sentence.
 *
 * @internal
 */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
