// Finds the Redis-compatible server that tests start, or says what to install.

import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @typedef {object} Machine what decides whether a server is there, or how it gets there
 * @property {string} path the variable PATH
 * @property {string} osRelease text of /etc/os-release; empty where there is none
 * @property {number} uid 0 for root
 */

/**
 * @typedef {object} FoundServer
 * @property {string} command path of the executable
 * @property {string} name what it calls itself: Redis or Valkey
 * @property {string} version
 */

const executables = ['redis-server', 'valkey-server'];

/** @returns {Machine} */
export function thisMachine() {
  const osRelease = '/etc/os-release';
  return {
    path: process.env.PATH ?? '',
    osRelease: existsSync(osRelease) ? readFileSync(osRelease, 'utf8') : '',
    uid: process.getuid?.() ?? -1,
  };
}

/**
 * The server on the PATH.
 *
 * @param {Machine} machine
 * @throws Error whose message is the one line that says what to install
 */
export function requireServer(machine = thisMachine()) {
  const found = findServer(machine);
  if (found === undefined) throw new Error(whatToInstall(machine));
  return found;
}

/**
 * @param {Pick<Machine, 'path'>} machine
 * @returns {FoundServer | undefined}
 */
export function findServer({ path }) {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const command = executables
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => isExecutable(file));
  if (command === undefined) return undefined;
  const output = execFileSync(command, ['--version'], { encoding: 'utf8' });
  const [, name = 'Redis', version = 'unknown'] = /^(\S+) server v=(\S+)/.exec(output) ?? [];
  return { command, name, version };
}

/**
 * Whether `ensure.mjs` installs a server by itself: on Debian, Ubuntu and what calls itself like one of them.
 *
 * @param {Pick<Machine, 'osRelease' | 'uid'>} machine
 */
export function canInstall({ osRelease, uid }) {
  return uid === 0 && usesApt(osRelease);
}

/**
 * One line.
 *
 * @param {Pick<Machine, 'osRelease'>} machine
 */
export function whatToInstall({ osRelease }) {
  const how = usesApt(osRelease)
    ? 'run "apt-get install redis-server" as root'
    : 'install Redis 6.2 or later, or Valkey';
  return (
    `The tests need redis-server or valkey-server on the PATH, and there is none: ${how}, ` +
    'or set LANE_TEST_REDIS_URL to a server that they may write to.'
  );
}

/** @param {string} osRelease */
function usesApt(osRelease) {
  const values = [...osRelease.matchAll(/^(?:ID|ID_LIKE)=(.*)$/gm)].map(([, value = '']) =>
    value.trim().replace(/^(["'])(.*)\1$/, '$2'),
  );
  return values
    .flatMap((value) => value.split(/\s+/))
    .some((id) => ['debian', 'ubuntu'].includes(id.toLowerCase()));
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
