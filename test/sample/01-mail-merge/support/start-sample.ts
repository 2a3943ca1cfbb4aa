import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { jest } from '@jest/globals';

import { waitUntil } from '../../../support/wait-until';

// Every run starts Node and Nest; on a machine that has more to do that takes seconds.
jest.setTimeout(60_000);

const program = join(process.cwd(), 'build/sample/01-mail-merge/main.js');

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A run of the sample, in a process of its own. */
export class Sample {
  readonly process: ChildProcess;
  readonly outcome: Promise<Outcome>;
  /** What came on the standard error so far. */
  stderr = '';

  constructor(args: string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, npm_lifecycle_event: undefined, LANE_URL: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    this.process = child;
    this.outcome = Promise.all([text(child.stdout), once(child, 'close')]).then(([stdout]) => ({
      code: child.exitCode,
      stdout,
      stderr: this.stderr,
    }));
  }

  async says(words: string): Promise<void> {
    await waitUntil(() => this.stderr.includes(words), {
      reason: `the sample says "${words}"`,
      deadline: 20_000,
    });
  }
}

export function runSample(args: string[], env?: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Sample(args, env).outcome;
}

/** The counts of a summary by their labels. */
export function countsOf({ stdout }: Outcome): Record<string, number> {
  const rows = stdout.matchAll(/^ {0,2}([a-z][a-z ]*?) +(\d+)(?: {2}|$)/gm);
  return Object.fromEntries([...rows].map(([, label, count]) => [label!, Number(count)]));
}
