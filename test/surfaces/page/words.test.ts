import { describe, expect, it } from 'vitest';
import { shortenPaths, withoutAgent } from '../../../src/contract/words/shorten-paths.ts';
import { choosePersona, chooseRuntime } from '../../../src/surfaces/page/agents/dialogs/last-start.ts';
import { splitCommands } from '../../../src/surfaces/page/parts/words/split-commands.ts';
import { cellsOf } from '../../../src/surfaces/page/terminal/cells.ts';
import { isRule, wrappable } from '../../../src/surfaces/page/terminal/wrap-rows.ts';

describe('the hints of the server on the page', () => {
  it('[D12] a hint is split into its sentences and its commands', () => {
    expect(splitCommands('Baton left the agent as it is. Start the handoff again: baton handoff 1')).toEqual({
      prose: 'Baton left the agent as it is.',
      commands: [{ label: 'Start the handoff again', command: 'baton handoff 1' }],
    });
    expect(
      splitCommands('Check for the document: baton handoff check-again 3; see its screen: baton agent screen 1'),
    ).toEqual({
      prose: '',
      commands: [
        { label: 'Check for the document', command: 'baton handoff check-again 3' },
        { label: 'See its screen', command: 'baton agent screen 1' },
      ],
    });
    expect(splitCommands('Read docs/PROTOCOL.md; it (and only it) has the rules.').commands).toEqual([]);
  });

  it('a long path in a hint is shortened to its last part', () => {
    const path = '/home/you/a-very-long-project-name/data/personas/con/handoffs/20261116T1951.md';
    expect(shortenPaths(`The document does not exist: ${path}. It runs.`)).toEqual([
      { shown: 'The document does not exist: ', path: null },
      { shown: '…/20261116T1951.md', path },
      { shown: '. It runs.', path: null },
    ]);
    expect(shortenPaths('See /home/you/x.md')).toEqual([{ shown: 'See /home/you/x.md', path: null }]);
  });

  it("withoutAgent removes the agent's name only from the beginning of a sentence", () => {
    const agent = { label: 'Mira', id: 7 };
    expect(withoutAgent('Mira (agent 7) asks for permission.', agent)).toBe('asks for permission.');
    const other = 'The handoff document of Mira (agent 7) waits for your approval.';
    expect(withoutAgent(other, agent)).toBe(other);
  });

  it('a long relative path is shortened like an absolute path, and an address is not shortened', () => {
    const path = 'data/personas/backend-developer-con-1/handoffs/20261116T1951.md';
    expect(shortenPaths(path)).toEqual([{ shown: '…/20261116T1951.md', path }]);
    const address = 'https://example.org/a-long-part/another-long-part/the-last-part';
    expect(shortenPaths(address)).toEqual([{ shown: address, path: null }]);
    expect(shortenPaths(`BATON_HOME=/${path}`)[0]).toEqual({ shown: 'BATON_HOME=', path: null });
  });
});

describe('the start dialog', () => {
  const personas = [
    { slug: 'old-1', status: 'archived' },
    { slug: 'con-2', status: 'active' },
    { slug: 'eve-3', status: 'active' },
  ] as const;
  it("the start dialog proposes the project's default persona, or the last used persona if there is no default", () => {
    expect(choosePersona('ada-4', { persona: 'eve-3' }, personas)).toBe('ada-4');
    expect(choosePersona(null, { persona: 'eve-3' }, personas)).toBe('eve-3');
    expect(choosePersona(null, { persona: 'old-1' }, personas)).toBe('con-2');
    expect(choosePersona(null, {}, [])).toBe('');
  });

  it('the start dialog proposes the last used runtime if that runtime is available', () => {
    const runtimes = [
      { id: 'practice', why_unavailable: null },
      { id: 'claude-code', why_unavailable: null },
      { id: 'codex', why_unavailable: 'It is not installed.' },
    ];
    expect(chooseRuntime({ runtime: 'claude-code' }, runtimes)).toBe('claude-code');
    expect(chooseRuntime({ runtime: 'codex' }, runtimes)).toBe('practice');
    expect(chooseRuntime({}, [])).toBe(null);
  });
});

describe('the terminal view', () => {
  const line = (...texts: string[]) => texts.map((text) => ({ text, style: '' }));

  it('a character that the browser draws with another font takes as many columns in the terminal view as in tmux', () => {
    expect(cellsOf('plain ─ text')).toEqual([{ text: 'plain ─ text', columns: null }]);
    expect(cellsOf('a ⎿ 日本')).toEqual([
      { text: 'a ', columns: null },
      { text: '⎿', columns: 1 },
      { text: ' ', columns: null },
      { text: '日', columns: 2 },
      { text: '本', columns: 2 },
    ]);
  });

  it('consecutive empty rows of a wrapped screen are shown as one empty row', () => {
    const screen = [line('one', '   '), line('   '), line(), line(' '), line('two'), line('  ')];
    expect(wrappable(screen)).toEqual([line('one'), [], line('two')]);
    expect([isRule(line('─'.repeat(180))), isRule(line('a line of text ─────────'))]).toEqual([true, false]);
  });
});
