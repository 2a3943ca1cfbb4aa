import { subscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';

import { afterEach, beforeEach } from '@jest/globals';

import { waitUntil } from './wait-until';

/** How many resources of each kind keep the process alive. */
export type OpenResources = ReadonlyMap<string, number>;

/** What ends by itself within the turn, or belongs to a single operation of the file system or a lookup. */
const passing = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'Immediate']);

// Node does not count worker threads among its active resources.
const workerThreads = new Set<Worker>();
subscribe('worker_threads', (message) => {
  const { worker } = message as { worker: Worker };
  workerThreads.add(worker);
  worker.once('exit', () => workerThreads.delete(worker));
});

/** Milliseconds in which what was closed may still disappear. */
const defaultGrace = 1000;

/**
 * Fails every test of the file that leaves a timer, socket, child process or worker thread behind. Timers that do
 * not keep the process alive (`unref`) do not count.
 *
 * What is open is only counted, so the runner's own process is no place for it: see `workerIdleMemoryLimit` in
 * jest.config.mjs.
 *
 * Call it at the top of the file, outside any `describe`: the hooks of the describe blocks then run inside the
 * guarded time, so what they open and close is looked at too. A hook that ends fake timers goes above it: hooks after a
 * test run from the top, and the guard waits by the clock.
 */
export function guardAgainstLeaks({ grace = defaultGrace }: { grace?: number } = {}): void {
  let before: OpenResources;
  beforeEach(() => {
    before = openResources();
  });
  afterEach(() => expectNothingLeft(before, grace));
}

/** Counts what is open now. */
export function openResources(): OpenResources {
  const counts = new Map([['Worker', workerThreads.size]]);
  for (const kind of process.getActiveResourcesInfo()) {
    if (!passing.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Rejects if, when the grace is over, more is open than before. */
export async function expectNothingLeft(before: OpenResources, grace = defaultGrace): Promise<void> {
  let left: string[] = [];
  try {
    await waitUntil(
      () => {
        left = openedSince(before);
        return left.length === 0;
      },
      { reason: 'everything was closed', deadline: grace },
    );
  } catch (cause) {
    throw new Error(`The test left open: ${left.join(', ')}.`, { cause });
  }
}

function openedSince(before: OpenResources): string[] {
  return [...openResources()]
    .map(([kind, count]) => ({ kind, more: count - (before.get(kind) ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => `${more} ${kind}`);
}
