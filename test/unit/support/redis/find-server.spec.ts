import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { canInstall, findServer, requireServer, whatToInstall } from '../../../support/redis/find-server.mjs';

const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n';
const ubuntu = "NAME='Ubuntu'\nID='ubuntu'\nID_LIKE=debian\n";
const mint = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n';
const fedora = 'NAME="Fedora Linux"\nID=fedora\nSUPPORT_URL="https://www.debian.org"\n';
const root = 0;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-server-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, output: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${output}'\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('the server on the PATH', () => {
  it('is Redis or Valkey, and says its version', () => {
    const redis = program('one/redis-server', 'Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc');
    const valkey = program('two/valkey-server', 'Valkey server v=8.1.3 sha=00000000:0');

    expect(findServer({ path: `${folder}/two` })).toEqual({
      command: valkey,
      name: 'Valkey',
      version: '8.1.3',
    });
    expect(findServer({ path: `/nowhere:${folder}/two:${folder}/one` })).toEqual({
      command: redis,
      name: 'Redis',
      version: '7.0.15',
    });
  });

  it('is a program, neither a folder nor another file', () => {
    mkdirSync(join(folder, 'redis-server'));
    writeFileSync(join(folder, 'valkey-server'), '', { mode: 0o644 });
    expect(findServer({ path: folder })).toBeUndefined();
  });

  it('is not looked for in the working folder', () => {
    expect(findServer({ path: '' })).toBeUndefined();
  });
});

describe('without a server', () => {
  it.each([
    ['Debian', debian, true],
    ['Ubuntu', ubuntu, true],
    ['what is like Ubuntu', mint, true],
    ['Fedora', fedora, false],
    ['a system without os-release', '', false],
  ])('%s as root', (_, osRelease, can) => {
    expect(canInstall({ osRelease, uid: root })).toBe(can);
  });

  it('nothing is installed for anyone but root', () => {
    expect(canInstall({ osRelease: debian, uid: 1000 })).toBe(false);
    expect(canInstall({ osRelease: debian, uid: -1 })).toBe(false);
  });

  it('says in one line what to install', () => {
    const machine = { path: folder, osRelease: debian, uid: 1000 };
    expect(() => requireServer(machine)).toThrow(
      'The tests need redis-server or valkey-server on the PATH, and there is none: ' +
        'run "apt-get install redis-server" as root, ' +
        'or set LANE_TEST_REDIS_URL to a server that they may write to.',
    );
    expect(whatToInstall({ osRelease: fedora })).toMatch(
      /^.*: install Redis 6\.2 or later, or Valkey, or .*$/,
    );
  });
});
