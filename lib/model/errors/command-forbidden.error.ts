import { showValue, withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown when the store does not let its user run a command, or reach the keys of the queue. The call changed
 * nothing.
 *
 * @public
 */
export class CommandForbiddenError extends StoreError {
  readonly code = 'LANE_COMMAND_FORBIDDEN';
  readonly passesSoon = false;

  /**
   * @param store - what forbids it, such as `Redis at queue.example:6379`; credentials are not shown
   * @param command - the command, such as `evalsha`; `undefined` where the store does not tell, as for keys that are
   * forbidden and for commands within a script
   */
  constructor(
    store: string,
    readonly command: string | undefined,
    options?: { cause?: unknown },
  ) {
    super(
      `${withoutCredentials(store)} does not let its user ` +
        (command === undefined
          ? 'reach a key of the queue, or run a command that scripts need'
          : `run the command ${showValue(command)}`) +
        `. The call changed nothing. Allow the user ` +
        (command === undefined
          ? 'all keys that begin with the prefix, and reading and writing'
          : 'this command') +
        `, or log in as another one.`,
      options,
    );
  }
}
