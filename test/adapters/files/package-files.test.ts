import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('the archive of packages', () => {
  const OURS = '01M7TF11HT9PD3JR3TWE31NKQ7';
  const OTHER = '01M7TF13HHZVCRSPT7V6FDVWW7';
  const archived = (): string => join(folder, '.project', '07-audit', 'sessions', 'operator', 'handoffs');
  const readArchive = (name: string): string => readFileSync(join(archived(), name), 'utf8');

  /** Writes the files of `HO-2026-001` with this `uid`, and returns how many files were written. */
  const write = (uid: string, { state = 'pending', hasAck = false } = {}): Promise<number> =>
    createPackageFiles(join(folder, 'home')).writeArchive({
      root: folder,
      session: 'operator',
      id: 'HO-2026-001',
      uid,
      files: [
        { name: 'HO-2026-001.yaml', value: { handoff: { id: 'HO-2026-001', uid } } },
        { name: 'HO-2026-001.record.yaml', value: { record: { state } } },
        { name: 'HO-2026-001.ack.yaml', value: hasAck ? { acknowledgment: { received: true } } : undefined },
      ],
    });
  const KEPT = ['ack', 'record'].map((part) => `HO-2026-001.${OTHER}.${part}.yaml`);
  const ALL = [...KEPT, `HO-2026-001.${OTHER}.yaml`, 'HO-2026-001.record.yaml', 'HO-2026-001.yaml'];

  it('keeps the files of another package with the same id, for example of a colleague or before a purge', async () => {
    await write(OTHER, { state: 'completed', hasAck: true });
    expect(await write(OURS)).toBe(2);
    expect(readdirSync(archived()).sort()).toEqual(ALL);
    expect(readArchive(`HO-2026-001.${OTHER}.yaml`)).toContain(OTHER);
    expect(readArchive(`HO-2026-001.${OTHER}.record.yaml`)).toContain('completed');
    expect(readArchive('HO-2026-001.yaml')).toContain(OURS);
    expect(readArchive('HO-2026-001.record.yaml')).toContain('pending');
    expect(await write(OURS)).toBe(0);
  });

  it('keeps the rest of the files of another package after a crash between two of them', async () => {
    await write(OTHER, { state: 'completed', hasAck: true });
    renameSync(join(archived(), 'HO-2026-001.ack.yaml'), join(archived(), `HO-2026-001.${OTHER}.ack.yaml`));
    await write(OURS);
    expect(readdirSync(archived()).sort()).toEqual(ALL);
    expect(readArchive(`HO-2026-001.${OTHER}.record.yaml`)).toContain('completed');
  });

  it('removes the acknowledgment of a package that no longer has one', async () => {
    await write(OURS, { hasAck: true });
    expect(await write(OURS)).toBe(1);
    expect(readdirSync(archived()).sort()).toEqual(['HO-2026-001.record.yaml', 'HO-2026-001.yaml']);
  });
});
