import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What makes up the toolchain, besides the sources it works on. */
const toolchain = [
  'jest.config.mjs',
  'package-lock.json',
  'package.json',
  'sample/tsconfig.json',
  'scripts',
  'test/support/define-require.mts',
  'test/support/redis/jest-global-setup.mjs',
  'test/support/redis/jest-global-teardown.mjs',
  'test/tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'tsconfig.json',
  'tsconfig.paths.json',
];

/** A copy of the toolchain with sources of its own, to see what it does with them. */
export class ScratchRepository {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'nestjs-lane-')));

  constructor(files: Record<string, string>) {
    for (const path of toolchain) {
      cpSync(join(process.cwd(), path), join(this.root, path), { recursive: true });
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(this.root, 'node_modules'), 'junction');
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  write(path: string, content: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  /** Runs Node in the root. */
  node(...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.root,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  dispose(): void {
    rmSync(this.root, { recursive: true });
  }
}
