import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from '@jest/globals';

/** A folder for the tests of a file, removed after the last of them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mail-merge-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
