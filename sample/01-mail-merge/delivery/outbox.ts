import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { cannot } from '../bad-input.error';

/** The folder of the messages. A file in it is complete, or it is not there. */
@Injectable()
export class Outbox {
  /**
   * Makes sure that files can be written.
   *
   * @returns the names of those that are there already
   */
  async open(folder: string): Promise<Set<string>> {
    try {
      await mkdir(folder, { recursive: true });
      const probe = temporaryName(join(folder, 'probe'));
      await writeFile(probe, '');
      await rm(probe);
      return new Set(await readdir(folder));
    } catch (error) {
      throw cannot('write to', folder, error);
    }
  }

  async has(file: string): Promise<boolean> {
    return access(file).then(
      () => true,
      () => false,
    );
  }

  async write(file: string, content: Buffer): Promise<void> {
    const temporary = temporaryName(file);
    try {
      await writeFile(temporary, content);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

/** In the same folder, because only there a rename is one step; for one writer only. */
function temporaryName(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
}
