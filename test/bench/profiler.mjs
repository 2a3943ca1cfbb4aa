import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname } from 'node:path';

/**
 * Records V8 processor profiles of this process; one that is recorded later replaces the file.
 *
 * @param {string} file
 */
export async function openProfiler(file) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  return {
    async start() {
      await session.post('Profiler.start');
    },
    async stop() {
      const { profile } = await session.post('Profiler.stop');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(profile));
    },
    close: () => session.disconnect(),
  };
}
