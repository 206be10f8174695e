import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../../src/adapters/home/open-home.ts';
import { refuseStart } from '../../../src/adapters/home/refuse-start.ts';

const scratch = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'bth-')));

describe('a folder that belongs to another program', () => {
  const filled = (...names: string[]): string => {
    const path = join(scratch(), '.baton');
    mkdirSync(path, { mode: 0o755 });
    for (const name of names) writeFileSync(join(path, name), '');
    return path;
  };

  it('Baton refuses to use a folder as its home if the folder belongs to another program', () => {
    const path = filled('state.json', 'config.json');
    const refused =
      /contains "state\.json" but no data of Baton, so it seems to belong to another program.*Set BATON_HOME to another folder/;
    expect(() => openHome(path)).toThrow(refused);
    expect(() => refuseStart(path, {})).toThrow(refused);
    expect(readdirSync(path).sort()).toEqual(['config.json', 'state.json']);
  });

  it.each([[['config.json', 'tmux.conf', '.DS_Store']], [['baton.db', 'notes.txt']], [[]]])(
    "a folder with the files %j is accepted as Baton's home",
    (names) => {
      expect(() => refuseStart(filled(...names), {})).toThrow(/chmod 700/);
    },
  );
});
