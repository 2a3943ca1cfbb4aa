import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { installApplication, type PackedPackage } from '../../support/packed-package.mjs';
import { runProgram, type FinishedProgram } from '../../support/run-program.mjs';

const fixtures = 'test/interop/package/fixtures';

/** What a sub-path gives: the names of its values, or the code of the error. */
export interface LoadedSubPath {
  import: string[] | string;
  require: string[] | string;
  /** Names that lead to another value when they are imported than when they are required. */
  different: string[];
}

/** A copy of one of the fixtures, with the packed package installed. */
export class InstalledApplication {
  private constructor(readonly folder: string) {}

  static async install(
    fixture: string,
    workplace: string,
    packed: PackedPackage,
    options?: { withoutPeers: boolean },
  ): Promise<InstalledApplication> {
    const folder = join(workplace, fixture);
    await installApplication(join(process.cwd(), fixtures, fixture), folder, packed, options);
    return new InstalledApplication(folder);
  }

  /** Whether a package lies in the application's own `node_modules`. */
  has(name: string): boolean {
    return existsSync(join(this.folder, 'node_modules', name));
  }

  write(path: string, content: string): void {
    const file = join(this.folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  }

  /** Runs one of its files. That it does not end by itself is an error. */
  run(file: string, ...args: string[]): Promise<FinishedProgram> {
    return runProgram(process.execPath, [file, ...args], { cwd: this.folder });
  }

  /** Runs one of its files that builds it, which takes longer. */
  build(file: string): Promise<FinishedProgram> {
    return runProgram(process.execPath, [file], { cwd: this.folder, deadline: 300_000 });
  }

  /**
   * Runs the compiler on the project in a folder of the application.
   *
   * @param compiler - the application whose compiler it is; default: its own
   */
  compile(project = '.', compiler: InstalledApplication = this): Promise<FinishedProgram> {
    const tsc = join(compiler.folder, 'node_modules/typescript/bin/tsc');
    return runProgram(process.execPath, [tsc, '-p', project], { cwd: this.folder, deadline: 300_000 });
  }

  /**
   * Type-checks one file, libraries included.
   *
   * @param file - its name decides whether it is CommonJS or an ES module
   * @param options - how modules are resolved
   */
  checkTypes(
    file: string,
    content: string,
    options: Record<string, unknown>,
    compiler?: InstalledApplication,
  ): Promise<FinishedProgram> {
    const folder = `types-${Object.values(options).join('-')}`;
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023'],
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    };
    this.write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['.'] }));
    this.write(`${folder}/${file}`, content);
    return this.compile(folder, compiler);
  }

  /** Hands values of one copy of the package to another, in a process of its own. */
  runWithTwoCopies(): Promise<FinishedProgram> {
    const copy = join(this.folder, 'node_modules/nestjs-lane-copy');
    cpSync(join(this.folder, 'node_modules/nestjs-lane'), copy, { recursive: true });
    const file = 'two-copies.cjs';
    cpSync(join(process.cwd(), fixtures, 'probe', file), join(this.folder, file));
    return this.run(file);
  }

  /** Loads sub-paths both ways, in a process of its own. */
  async load(specifiers: readonly string[]): Promise<Record<string, LoadedSubPath>> {
    const file = 'load-sub-paths.mjs';
    cpSync(join(process.cwd(), fixtures, 'probe', file), join(this.folder, file));
    const { stdout, stderr } = await this.run(file, ...specifiers);
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, LoadedSubPath>;
  }
}
