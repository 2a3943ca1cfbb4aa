// Run before the tests that need Redis: sees to a server and says which one is used, or what is missing, in one line.
//
// On Debian and Ubuntu, as root, it installs what is missing.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { canInstall, findServer, requireServer, thisMachine } from './find-server.mjs';
import { serverAt } from './server-at.mjs';

try {
  console.log(await serverForTests());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function serverForTests() {
  const url = process.env.LANE_TEST_REDIS_URL;
  if (url) {
    const { name, version, address } = await serverAt(url);
    return `Tests use ${name} ${version} at ${address} (LANE_TEST_REDIS_URL).`;
  }
  const machine = thisMachine();
  if (findServer(machine) === undefined && canInstall(machine)) install();
  const { command, name, version } = requireServer(machine);
  return `Tests use ${name} ${version} (${command}).`;
}

function install() {
  console.log('The tests need redis-server and there is none: installing it with apt, without a service.');
  const { status, error, stdout, stderr } = spawnSync(join(import.meta.dirname, 'install-on-debian.sh'), {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`redis-server was not installed.\n${error?.message ?? stdout + stderr}`);
  }
}
