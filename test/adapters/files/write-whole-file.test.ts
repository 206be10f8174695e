import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import type { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeWholeFile } from '../../../src/adapters/files/write-whole-file.ts';

const { did } = vi.hoisted(() => ({ did: [] as string[] }));

/**
 * This mock uses the real file system and records the order of flushes and renames. Only a write to `full.md` fails, as
 * on a full disk.
 */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<{ open: typeof open; rename: typeof rename }>();
  return {
    ...real,
    open: async (...args: Parameters<typeof open>) => {
      const file = await real.open(...args);
      const what = (await file.stat()).isDirectory() ? 'folder' : 'file';
      const sync = file.sync.bind(file);
      const write = file.writeFile.bind(file);
      return Object.assign(file, {
        writeFile: async (content: string) => {
          if (!String(args[0]).includes('full.md')) return write(content);
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        },
        sync: async () => {
          await sync();
          did.push(`${what} flushed`);
        },
      });
    },
    rename: async (...args: Parameters<typeof rename>) => {
      await real.rename(...args);
      did.push('renamed');
    },
  };
});

it('[F2] [F4] a file is flushed to disk before it is renamed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-whole-'));
  await writeWholeFile(join(folder, 'document.md'), 'all of it', 0o400);
  expect(did).toEqual(['file flushed', 'renamed', 'folder flushed']);
  expect(readFileSync(join(folder, 'document.md'), 'utf8')).toBe('all of it');
  expect(readdirSync(folder)).toEqual(['document.md']);
});

it('[S-7] the error of a failed write names the path of the file', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'baton-whole-')), 'full.md');
  await expect(writeWholeFile(path, 'all of it', 0o400)).rejects.toMatchObject({
    message: `ENOSPC: no space left on device, write ${path}`,
    code: 'ENOSPC',
  });
});
