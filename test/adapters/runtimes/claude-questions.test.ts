import { describe, expect, it } from 'vitest';
import { createClaudeCodeRuntime } from '../../../src/adapters/runtimes/claude-code/claude-code-runtime.ts';
import { screenOf, screensOf } from './fixtures.ts';

const runtime = createClaudeCodeRuntime({});
const read = (name: string) => runtime.readQuestion(screenOf('claude-code', name));
const labels = (name: string) => read(name)?.options.map(({ number, label }) => `${number} ${label}`);

describe('recorded dialogs of Claude Code', () => {
  it('the parsed question of a permission dialog contains all options of the dialog', () => {
    expect(read('dialog-permission')).toMatchObject({ highlighted: 1, textOption: null });
    expect(read('dialog-permission')?.text).toContain('touch /home/op/shop/y\nDo you want to proceed?');
    expect(labels('dialog-permission')).toEqual([
      '1 Yes',
      '2 Yes, and always allow access to /home/op/shop from this project',
      '3 Yes, and switch to auto mode · auto mode handles these prompts for you',
      '4 No',
    ]);
  });

  it('Baton parses a permission dialog in plan mode even if an option is wider than the terminal', () => {
    expect(read('dialog-plan-write')?.text).toContain('Do you want to create outside-of-it.txt?');
    expect(labels('dialog-plan-write')?.map((label) => label.slice(0, 5))).toEqual(['1 Yes', '2 Yes', '3 No']);
  });

  it('the parsed question of a dialog contains the option for free text', () => {
    expect(read('dialog-ask')).toMatchObject({
      text: 'Which colour shall the button have?',
      highlighted: 1,
      textOption: 3,
    });
    expect(labels('dialog-ask')).toEqual([
      '1 Red · Like a stop sign',
      '2 Blue · Like the sea',
      '3 Type something.',
      '4 Chat about this',
    ]);
    expect(labels('dialog-ask-first-of-two')).toEqual(labels('dialog-ask'));
  });

  it('[T9] a dialog counts as the same question after the highlight has moved', () => {
    const [asked, moved] = [read('dialog-ask'), read('dialog-ask-own-words')];
    expect(moved).toMatchObject({ highlighted: 3, fingerprint: asked?.fingerprint });
    expect(read('dialog-ask-typed')?.fingerprint).not.toBe(asked?.fingerprint);
    expect(read('dialog-ask-typed')?.options[2]).toEqual({ number: 3, label: 'Green, please' });
    const screen = screenOf('claude-code', 'dialog-permission');
    const lines = screen.lines.map((line) => line.replace('touch /home/op/shop/y', 'rm -rf /home/op/shop'));
    expect(runtime.readQuestion({ ...screen, lines })?.fingerprint).not.toBe(read('dialog-permission')?.fingerprint);
  });

  it('[T9] a numbered line inside the command of a permission dialog is not parsed as an option', () => {
    const screen = screenOf('claude-code', 'dialog-permission');
    const lines = screen.lines.map((line) =>
      line === ' touch /home/op/shop/y' ? '   3. No, and this is harmless' : line,
    );
    expect(runtime.readQuestion({ ...screen, lines })?.options).toEqual(read('dialog-permission')?.options);
  });

  it('if Claude Code asks about background work before it exits, the parsed question offers to stop or keep the work', () => {
    for (const name of ['dialog-exit-background', 'dialog-exit-subagent']) {
      expect(read(name)).toMatchObject({ leaving: { stop: 1, keep: 2 }, highlighted: 1 });
      expect(labels(name)).toEqual(['1 Exit and stop tasks', '2 Move to background and exit', '3 Stay']);
    }
    expect(read('dialog-exit-background')?.text).toContain('shell · sleep 600');
    expect(read('dialog-permission')).not.toHaveProperty('leaving');
  });

  it("if part of a dialog is off the screen, Baton offers none of the dialog's options", () => {
    expect(read('dialog-small-permission')).toMatchObject({ isCut: true, options: [], textOption: null });
    for (const name of ['dialog-small-ask', 'dialog-small-ask-several', 'dialog-small-exit-background'])
      expect(read(name)).toMatchObject({ isCut: true, options: [], textOption: null });
    expect(read('dialog-small-exit-background')).not.toHaveProperty('leaving');
    for (const name of ['dialog-permission', 'dialog-exit-background']) expect(read(name)).not.toHaveProperty('isCut');
    // Change the recorded screen: the list of options is scrolled down, but the title is still visible.
    const screen = screenOf('claude-code', 'dialog-permission');
    const lines = screen.lines.map((line) => line.replace(/^ {3}(?=2\. )/, ' ↓ '));
    expect(runtime.readQuestion({ ...screen, lines })).toMatchObject({ isCut: true, options: [] });
  });

  it.each([
    ['dialog-mcp', ['Use this MCP server', 'Use this and all future MCP servers in this project']],
    ['dialog-imports', ['No, disable external imports', 'Yes, allow external imports']],
    ['dialog-bypass', ['No, exit', 'Yes, I accept']],
    ['dialog-api-key', ['Yes', 'No (recommended)']],
  ])(
    'Baton offers the options of the dialog %s only as text, because a digit does not choose an option there',
    (name, options) => {
      const { text = '', options: chosen } = read(name) ?? {};
      expect(chosen).toEqual([]);
      for (const option of options) expect(text.split('\n')).toContain(`· ${option}`);
    },
  );

  it.each([
    ['dialog-old-api-key', 'Do you want to use this API key?'],
    ['dialog-old-bypass', 'WARNING: Claude Code running in Bypass Permissions mode'],
    ['dialog-old-mcp', 'New MCP server found in .mcp.json: files'],
    ['dialog-old-imports', 'Allow external CLAUDE.md file imports?'],
  ])('[L25] the dialog %s of Claude Code 2.0.77 can only be answered in the terminal', (name, line) => {
    const { text = '', ...question } = read(name) ?? {};
    expect(question).toMatchObject({ options: [], textOption: null });
    expect(question).not.toHaveProperty('isCut');
    expect(text.split('\n')).toContain(line);
    expect(text).not.toMatch(/[│╭╰]|sk-ant/);
  });

  it.each(['dialog-ask-several', 'dialog-model', 'dialog-trust', 'dialog-api-key', 'dialog-mode-offer'])(
    'the dialog %s can only be answered in the terminal, because no digit chooses an option there',
    (name) => expect(read(name)).toMatchObject({ options: [], textOption: null }),
  );

  it('[T11] Baton leaves the API key out of the parsed question of a dialog', () => {
    expect(JSON.stringify({ ...read('dialog-api-key'), fingerprint: '' })).not.toContain('sk-ant');
  });

  it.each(screensOf('claude-code').filter(({ name }) => !name.startsWith('dialog')))(
    'Baton finds no dialog on the recorded screen $name',
    ({ screen }) => {
      expect(runtime.readQuestion(screen)).toBeUndefined();
    },
  );
});
