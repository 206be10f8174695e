import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSources } from './support/layers.ts';
import { findPaneWriters, findStaleRows } from './support/pane-writers.ts';

const sources = readSources(fileURLToPath(new URL('..', import.meta.url)));

describe('access to a pane', () => {
  it('no code writes to a pane except through Terminal.deliver, pressAnswer, interrupt and launch', () => {
    expect(findPaneWriters(sources)).toEqual([]);
  });

  it('each function in the list of functions that write to a pane does write to a pane', () => {
    expect(findStaleRows(sources)).toEqual([]);
  });
});

/**
 * Shows that the check can fail. The first table lists lines that the check must report when a test adds them to the
 * real source.
 */
describe('the check for access to a pane', () => {
  const plant = (file: string, line: string) =>
    findPaneWriters({ ...sources, [file]: `${sources[file] ?? ''}\n${line}` });

  it.each([
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: planted text
    // Files that must not contain a writing tmux command: by its name, a prefix or an alias.
    ['src/app/messages/send-message.ts', "const line = 'send-keys -t %1 Enter';"],
    ['src/adapters/tmux/list-panes.ts', 'const line = `send-keys -t ${pane} Enter`;'],
    ['src/adapters/tmux/launch.ts', "const args = ['send-keys', '-t', pane];"],
    ['src/adapters/tmux/list-panes.ts', "const args = ['send', '-t', pane, 'Enter'];"],
    ['src/adapters/tmux/list-panes.ts', 'const line = `list-panes ; send-k -t ${pane} q`;'],
    ['src/surfaces/cli/demo/stage/clean-up.ts', "const args = ['paste-buffer', '-t', pane];"],
    ['src/adapters/tmux/list-panes.ts', 'const line = `setb -b x ${text}`;'],
    ['src/adapters/tmux/typing/submit.ts', 'const line = `load-buffer ${path}`;'],
    ['src/main/server.ts', "const line = 'pipe-pane -I -t %1 cat';"],
    ['src/adapters/tmux/connection/server-link.ts', 'const line = `respawn-pane -k -t ${pane} sh`;'],
    ['src/adapters/tmux/typing/pane-access.ts', 'const line = `new-window -t ${session} sh`;'],
    ['src/adapters/tmux/list-panes.ts', "const line = 'splitw sh';"],
    ['src/adapters/tmux/launch.ts', "const line = 'run-shell date';"],
    ['src/adapters/tmux/launch.ts', 'const line = `if-shell -F 1 ${then}`;'],
    ['src/surfaces/cli/agents/attach-agent.ts', "const args = ['display-popup', '-E', 'sh'];"],
    ['src/adapters/tmux/connection/tmux-config.ts', 'const line = `bind-key x send-prefix`;'],
    ['src/adapters/tmux/connection/tmux-config.ts', "const line = 'set-hook -g pane-died x';"],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: planted text
    // Files that must not use the parts that send to a pane.
    ['src/app/engine/reconcile.ts', 'await ports.terminal.deliver(pane, delivery);'],
    ['src/app/engine/reconcile.ts', 'const { deliver } = ports.terminal;'],
    ['src/app/engine/reconcile.ts', 'const { deliver: type } = ports.terminal;'],
    ['src/app/engine/reconcile.ts', "const type = ports.terminal['deliver'];"],
    ['src/surfaces/http/server/routes.ts', 'const send = deps.ports.terminal.deliver;'],
    ['src/app/messages/send-message.ts', 'await ports.terminal.pressAnswer(pane, request);'],
    ['src/adapters/tmux/typing/deliver.ts', 'await access.pressDigit(id, cursor, 1);'],
    ['src/app/engine/engine.ts', 'await ports.terminal.launch(request);'],
    ['src/app/sessions/adopt-session.ts', 'await ports.terminal.claim(pane);'],
    ['src/adapters/tmux/inspect.ts', "import { createExternalTmux } from './external-tmux.ts';"],
    ['src/adapters/tmux/inspect.ts', "const args = ['source-file', '-'];"],
    ['src/adapters/tmux/create-tmux-terminal.ts', 'await createPaneAccess(session, pane).paste(id, cursor);'],
    ['src/adapters/tmux/create-tmux-terminal.ts', 'await createPaneAccess(session, pane).pressEnter(id, cursor, key);'],
    ['src/adapters/tmux/create-tmux-terminal.ts', 'await session.askOnce({ operation, target, line });'],
    ['src/adapters/tmux/create-tmux-terminal.ts', "(await link.open('start'))?.request({ operation, target, line });"],
    ['src/app/ports/index.ts', "const { launch } = await import('../../adapters/tmux/launch.ts');"],
    ['src/adapters/tmux/typing/await-ready.ts', "import { createPaneAccess } from './pane-access.ts';"],
    ['src/adapters/tmux/list-panes.ts', "export { submit } from './typing/submit.ts';"],
    ['src/adapters/tmux/list-panes.ts', "import { runTmux } from './connection/run-tmux.ts';"],
    // Files that must not start programs.
    ['src/adapters/files/agent-files.ts', "import { spawn } from 'node:child_process';"],
    ['src/app/engine/engine.ts', "const { exec } = await import('child_process');"],
    ['src/surfaces/http/server/page.ts', "import { spawn } from 'node-pty';"],
  ])('the check for pane access fails if %s contains %s', (file, line) => {
    expect(sources[file]).toBeDefined();
    expect(plant(file, line).length).toBeGreaterThan(0);
  });

  it.each([
    ['src/app/engine/reconcile.ts', '// The prompt was typed by send-keys once.'],
    ['src/app/engine/reconcile.ts', "const sentence = 'Send it again if it is new, and run it.';"],
    ['src/adapters/tmux/typing/await-ready.ts', "import type { PaneAccess } from './pane-access.ts';"],
    ['src/adapters/tmux/typing/deliver.ts', 'await access.stage(text);'],
    ['src/app/messages/send-message.ts', 'await ports.terminal.deliver(pane, delivery);'],
    ['src/practice/agent.ts', "import { spawn } from 'node:child_process';"],
  ])('the check for pane access passes if %s contains %s', (file, line) => {
    expect(plant(file, line)).toEqual([]);
  });

  it('the check for pane access fails if a listed file no longer accesses a pane', () => {
    const { 'src/app/messages/send-message.ts': _gone, ...rest } = sources;
    expect(findStaleRows(rest)).toEqual(['deliver, src/app/messages/send-message.ts is allowed, and nobody needs it']);
  });

  it('the check for pane access misses a command that is assembled from pieces (a known limit)', () => {
    expect(plant('src/app/engine/reconcile.ts', "const line = 'send' + '-keys';")).toEqual([]);
  });
});
