import { CommandForbiddenError } from '../../model/errors/command-forbidden.error';
import { ConnectionLostError } from '../../model/errors/connection-lost.error';
import { LoginRefusedError } from '../../model/errors/login-refused.error';
import type { StoreError } from '../../model/errors/store.error';
import { StoreFullError } from '../../model/errors/store-full.error';
import { StoreReadOnlyError } from '../../model/errors/store-read-only.error';
import { StoreUnavailableError } from '../../model/errors/store-unavailable.error';

/** Why a server that runs carries nothing out for now. */
const UNAVAILABLE = /^(LOADING|MASTERDOWN|CLUSTERDOWN|MISCONF|NOREPLICAS|BUSY|TRYAGAIN|UNBLOCKED)\b/;

/** How the client library says that a connection ended, or was not there. */
const NO_CONNECTION =
  /connection is closed|isn't writeable|max retries per request|socket timeout|aborted due to connection close|ended by peer|cluster nodes|^cluster (?:isn't ready|is ended|is disconnect)|startup nodes|node is disconnected|too many cluster redirections/i;

/**
 * How servers say that a user may not do something, on its own or in a script. Some act as if they did not know a
 * command that they do not allow.
 */
const FORBIDDEN =
  /\bNOPERM\b|can't (?:run|execute) this command|can't access at least one of the keys|unknown (?:redis )?command\b/i;

const FORBIDDEN_COMMAND = /(?:(?:run|execute) the|unknown command) ['`]([^'`|]+)/;

const NO_DATABASE = /DB index|SELECT is not allowed/;

/**
 * Takes out of an error of the client library what was sent: it may be a password, or the data of jobs.
 *
 * @internal
 */
export function hideArguments(error: unknown): void {
  const { command, lastNodeError } = error as {
    command?: string | { name: string };
    lastNodeError?: unknown;
  };
  if (typeof command === 'object') {
    Object.assign(error as object, { command: { name: command.name } });
  }
  if (lastNodeError != null) {
    hideArguments(lastNodeError);
  }
}

/**
 * What an error of the client library, or an error reply, means for a call.
 *
 * @param store - what is spoken to, for the message
 * @param requestSent - whether the call may have reached the server
 * @param script - text of the script that was run, if it was one
 * @returns `undefined` when it means none of what a store can be short of
 *
 * @internal
 */
export function storeErrorOf(
  error: unknown,
  store: string,
  requestSent: boolean,
  script = '',
): StoreError | undefined {
  const { message = '', name, code, syscall } = error as Error & { code?: string; syscall?: string };
  const options = { cause: error };
  // Up to Redis 6 an error that a command raises in a script stands behind the name of the script.
  const reply = message.replace(/^ERR Error running script.*?: -/s, '');
  if (name === 'ReplyError') {
    if (reply.startsWith('READONLY')) {
      return new StoreReadOnlyError(store, options);
    }
    if (reply.startsWith('OOM')) {
      return new StoreFullError(store, options);
    }
    if (UNAVAILABLE.test(reply)) {
      return new StoreUnavailableError(store, reply, options);
    }
    if (NO_DATABASE.test(reply)) {
      const advice = 'Give the number of a database that the server has, or none';
      return new StoreUnavailableError(store, reply, { ...options, advice });
    }
    if (/^(WRONGPASS|NOAUTH)\b|invalid (?:username-password|password)/i.test(reply)) {
      return new LoginRefusedError(store, options);
    }
    if (FORBIDDEN.test(reply)) {
      return new CommandForbiddenError(store, forbiddenCommand(message, script), options);
    }
    return undefined;
  }
  const isNetwork =
    syscall !== undefined || (code !== undefined && /^(E[A-Z]+|ERR_TLS|CERT|DEPTH_ZERO)/.test(code));
  if (
    isNetwork ||
    NO_CONNECTION.test(message) ||
    name === 'MaxRetriesPerRequestError' ||
    name === 'AbortError'
  ) {
    return new ConnectionLostError(store, requestSent, options);
  }
  return undefined;
}

/** Up to Redis 7.0 a refusal within a script tells the line, and not the command. */
function forbiddenCommand(message: string, script: string): string | undefined {
  const [, named] = FORBIDDEN_COMMAND.exec(message) ?? [];
  const [, line] = /@user_script: ?(\d+)/.exec(message) ?? [];
  if (named !== undefined || line === undefined || /\bkeys?\b/.test(message)) {
    return named;
  }
  const fromLine = script
    .split('\n')
    .slice(Number(line) - 1)
    .join('\n');
  return /\bcall\(\s*'(\w+)'/.exec(fromLine)?.[1]?.toLowerCase();
}
