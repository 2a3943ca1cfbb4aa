// A worker process of nestjs-lane or of bullmq. SIGTERM closes it in good order. Every few seconds it collects garbage
// and says how much memory is in use: "heap <bytes>".
//
//   node --expose-gc worker-process.mjs <ours|bullmq-5|bullmq-6> <url> <queue>

import { handle } from './handler.mjs';

const [party = '', url = '', queue = ''] = process.argv.slice(2);
const settings = { concurrency: 20, lockDuration: 3_000, stalledInterval: 1_500, maxStalledCount: 1_000 };

const worker = party === 'ours' ? await ours() : await bullmq();
process.once('SIGTERM', () => {
  worker.close().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${party}: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
setInterval(() => {
  globalThis.gc?.();
  process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
}, 5_000).unref();

async function ours() {
  const { Worker } = await import('nestjs-lane/engine');
  const { redis } = await import('nestjs-lane/redis');
  const worker = new Worker(queue, handle, {
    ...settings,
    backend: redis(url),
    removeOnComplete: { count: 1_000 },
  });
  worker.on('error', complain);
  return worker;
}

async function bullmq() {
  const { Worker } = /** @type {typeof import('bullmq-6')} */ (await import(party));
  const { hostname: host, port } = new URL(url);
  const worker = new Worker(queue, handle, {
    ...settings,
    connection: { host, port: Number(port), maxRetriesPerRequest: null },
    removeOnComplete: { count: 1_000 },
  });
  worker.on('error', complain);
  return worker;
}

/** @param {Error} error */
function complain(error) {
  process.stderr.write(`${party}: ${error.message}\n`);
}
