// Works on a queue until it is killed, and says which attempts it begins: "<job id> <attempt>", line by line. Codes of errors go to
// its error output.
//
//   node worker-process.mjs <url> <prefix> <queue> <worker options as JSON>

import { Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

const [url = '', prefix = '', queue = '', options = '{}'] = process.argv.slice(2);

const worker = new Worker(
  queue,
  async (job) => {
    process.stdout.write(`${job.id} ${job.attemptsStarted}\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  },
  { backend: redis({ url, prefix }), ...JSON.parse(options) },
);
worker.on('error', (error) =>
  process.stderr.write(`${'code' in error ? String(error.code) : error.message}\n`),
);
