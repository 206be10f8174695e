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

  it('is not used as a home, so that the start fails with a hint and changes no file', () => {
    const path = filled('state.json', 'config.json');
    const refused = /"state\.json"\), so it seems to belong to another program.*Set BATON_HOME to another folder/;
    expect(() => openHome(path)).toThrow(refused);
    expect(() => refuseStart(path, {})).toThrow(refused);
    expect(readdirSync(path).sort()).toEqual(['config.json', 'state.json']);
  });

  it.each([[['config.json', 'tmux.conf', '.DS_Store']], [['baton.db', 'notes.txt']], [[]]])(
    'is not assumed if the folder contains %j',
    (names) => {
      expect(() => refuseStart(filled(...names), {})).toThrow(/chmod 700/);
    },
  );
});
