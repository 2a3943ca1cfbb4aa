// Runs a program as a person would from a shell. (A plain module, for specs and for scripts without a build.)

import { execFile } from 'node:child_process';

/**
 * @typedef {object} FinishedProgram how a program ended, and what it wrote
 * @property {number} status
 * @property {string} stdout
 * @property {string} stderr
 */

/** What the test runner sets, or a shell for programs of its own. */
const notInherited = ['JEST_WORKER_ID', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_PATH'];

/**
 * Runs a program to its end, whatever its exit code is. Rejects when it could not be started, was killed by a signal,
 * or had not ended by the deadline.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, deadline?: number }} options `deadline`: milliseconds until it is killed; default: 60 000
 * @returns {Promise<FinishedProgram>}
 */
export function runProgram(command, args, { cwd, deadline = 60_000 }) {
  const env = { ...process.env };
  for (const name of notInherited) delete env[name];
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { cwd, env, timeout: deadline, killSignal: 'SIGKILL', maxBuffer: Infinity },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : error.code;
        if (typeof status === 'number') {
          resolve({ status, stdout, stderr });
          return;
        }
        const how = error?.killed ? `had not ended after ${deadline} ms` : 'did not run to its end';
        const message = `"${[command, ...args].join(' ')}" ${how}.\n${stdout}${stderr}`;
        reject(new Error(message, { cause: error }));
      },
    );
  });
}
