import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPackageFiles } from '../../../src/adapters/files/package-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt-package-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the hash of a text file that begins with a byte order mark includes the byte order mark', async () => {
  const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('# API\n')]);
  writeFileSync(join(folder, 'api.md'), bytes);
  const read = await createPackageFiles(join(folder, 'home')).readText(folder, 'api.md');
  expect(read).toMatchObject({ sha256: createHash('sha256').update(bytes).digest('hex') });
});
