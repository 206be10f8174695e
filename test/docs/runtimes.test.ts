import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KNOWN_VERSIONS as CLAUDE_CODE } from '../../src/adapters/runtimes/claude-code/tried-versions.ts';
import { KNOWN_VERSIONS as CODEX } from '../../src/adapters/runtimes/codex/tried-versions.ts';
import { KNOWN_VERSIONS as OPENCODE } from '../../src/adapters/runtimes/opencode/tried-versions.ts';
import { createRuntimes } from '../../src/adapters/runtimes/runtimes.ts';
import { capabilitiesOf } from '../../src/app/engine/client/capabilities.ts';
import { CAPABILITIES, CAPABILITY_WORDS } from '../../src/contract/words/capability-words.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/guides/runtimes.md', import.meta.url)), 'utf8');
const rowsAfter = (head: string): readonly string[] => {
  const [, table = ''] = PAGE.split(`${head}\n`);
  const rows = table.split('\n').slice(1);
  return rows.slice(0, rows.indexOf(''));
};

describe('docs/guides/runtimes.md', () => {
  it('the documented table of capabilities matches the runtimes in the source', () => {
    const runtimes = [...createRuntimes({ practice: '/opt/baton/practice.js' }, {}).values()];
    const head = `| what its agents can do | ${runtimes.map(({ id }) => id).join(' | ')} |`;
    expect(rowsAfter(head)).toEqual(
      CAPABILITIES.map(
        (each) =>
          `| ${CAPABILITY_WORDS[each]} | ${runtimes.map((runtime) => (capabilitiesOf(runtime)[each] ? 'yes' : 'no')).join(' | ')} |`,
      ),
    );
  });

  it('the documented table of client versions lists the tried versions and the oldest version from the source', () => {
    const known = { 'claude-code': CLAUDE_CODE, codex: CODEX, opencode: OPENCODE };
    expect(rowsAfter('| client | tried | oldest |')).toEqual(
      Object.entries(known).map(([id, { tried, oldest }]) => `| ${id} | ${tried.join(', ')} | ${oldest} |`),
    );
  });
});
