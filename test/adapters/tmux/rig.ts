import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environmentOutsideTmux } from '../../../src/adapters/tmux/connection/run-tmux.ts';
import { createServerLink, type ServerLink } from '../../../src/adapters/tmux/connection/server-link.ts';
import { createTmuxTerminal, type TmuxTerminalOptions } from '../../../src/adapters/tmux/create-tmux-terminal.ts';
import { ownsForeground } from '../../../src/adapters/tmux/foreground.ts';
import { createTmuxSession } from '../../../src/adapters/tmux/tmux-session.ts';
import { createPaneAccess, type PaneAccess } from '../../../src/adapters/tmux/typing/pane-access.ts';
import type { Delivery, PaneIdentity, Screen, ScreenReader, Terminal } from '../../../src/app/ports/terminal.ts';

const AGENT = fileURLToPath(new URL('raw-agent.mjs', import.meta.url));
const COMPOSER = '❯\u00a0';

export const reader: ScreenReader = {
  settleMs: 60,
  readQuestion: () => undefined,
  readScreen: (screen) => {
    const dialog = screen.lines.find((line) => line.startsWith('DIALOG'));
    if (dialog !== undefined) return { kind: 'dialog', text: dialog };
    const composer = screen.lines.find((line) => line.startsWith(COMPOSER));
    if (composer === undefined) return { kind: 'starting' };
    const text = composer.slice(COMPOSER.length);
    if (text !== '') return { kind: 'draft', text };
    return { kind: screen.lines.includes('BUSY') ? 'busy' : 'ready' };
  },
  isOurDraft: (draft, text) => {
    const chip = /^\[Pasted (\d+) chars\]$/.exec(draft);
    return chip === null ? draft === text.trimEnd() : Number(chip[1]) - text.length <= 3;
  },
};

export async function until<T>(what: string, probe: () => T | Promise<T>, withinMs = 120_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for: ${what}`);
    await sleep(15);
  }
}

export interface RawAgentOptions {
  /** The path of a file that a test creates to start the agent: the agent draws nothing until this file exists. */
  readonly startWhen?: string;
  readonly dialog?: 'start' | 'afterPaste' | 'afterEnter';
  readonly busy?: boolean;
  readonly swallowEnters?: number;
  readonly burstMs?: number;
  readonly burstEnters?: number;
  readonly dropPaste?: boolean;
  readonly dieOnPaste?: boolean;
  readonly draft?: string;
  readonly clock?: boolean;
  readonly echoDelayMs?: number;
}

export interface RawAgent {
  readonly pane: PaneIdentity;
  readonly name: string;
  received(): Buffer;
  submitted(): readonly string[];
  approvals(): number;
  /** Waits until the program has drawn its first screen. */
  drawn(): Promise<Screen>;
}

const contentOf = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));

export function createRig() {
  const dir = mkdtempSync(join(tmpdir(), 'bt-'));
  const socketPath = join(dir, 's');
  const configPath = join(dir, 'tmux.conf');
  const terminals: { close(): Promise<void> }[] = [];
  const logged: string[] = [];
  let serial = 0;

  function makeTerminal(options: Partial<TmuxTerminalOptions> = {}): Terminal {
    const log = (message: string) => logged.push(message);
    const terminal = createTmuxTerminal({ socketPath, configPath, log, commandTimeoutMs: 40_000, ...options });
    terminals.push(terminal);
    return terminal;
  }

  function makeLink(): ServerLink {
    const program = { binary: 'tmux', env: environmentOutsideTmux(process.env), timeoutMs: 120_000 };
    const silent = { onNotice: () => undefined, onExit: () => undefined };
    const link = createServerLink({ socketPath, configPath, program, ...silent });
    terminals.push(link);
    return link;
  }

  /** Gives direct access to the low-level operations of a pane. */
  const access = (pane: PaneIdentity): PaneAccess => createPaneAccess(createTmuxSession(makeLink()), pane);

  function tmux(...args: string[]): string {
    return execFileSync('tmux', ['-u', '-S', socketPath, ...args], { encoding: 'utf8', stdio: 'pipe' }).trimEnd();
  }

  function agentWith(name: string, pane: PaneIdentity, log: string, terminal: Terminal): RawAgent {
    const submitted = () => contentOf(`${log}.submitted`).toString().split('\n').filter(Boolean);
    const drawn = () =>
      until('the first screen', async () => {
        const screen = await terminal.capture(pane);
        return screen?.lines[0]?.startsWith('raw agent') ? screen : undefined;
      });
    return {
      pane,
      name,
      drawn,
      received: () => contentOf(log),
      submitted: () => submitted().map((line) => JSON.parse(line) as string),
      approvals: () => contentOf(`${log}.approved`).length,
    };
  }

  async function startAgent(options: RawAgentOptions = {}, terminal = main, wrap = unwrapped) {
    const name = `agent-${++serial}`;
    const log = join(dir, `${name}.log`);
    const argv = wrap([process.execPath, AGENT, JSON.stringify({ ...options, log })]);
    const pane = await terminal.launch({ sessionName: name, tag: `tag-${serial}`, argv });
    // Call closeAtExit here, because Baton calls it as soon as the session of an agent has begun.
    await terminal.closeAtExit(pane);
    // For a moment after tmux has started the process, the process does not have the terminal yet.
    if (wrap === unwrapped)
      await until('the agent has the terminal', async () => (await ownsForeground(pane.panePid)) || undefined);
    return agentWith(name, pane, log, terminal);
  }

  function prompt(text: string, more: Partial<Delivery> = {}): Delivery {
    return { id: `d-${++serial}`, kind: 'prompt', text, reader, waitReadyMs: 40_000, ...more };
  }

  async function stop(): Promise<void> {
    await Promise.all(terminals.map((terminal) => terminal.close()));
    await new Promise((resolve) => execFile('tmux', ['-S', socketPath, 'kill-server'], resolve));
    rmSync(dir, { recursive: true, force: true });
  }

  const main = makeTerminal();
  const paths = { dir, socketPath, configPath };
  return { ...paths, terminal: main, logged, makeTerminal, makeLink, access, tmux, startAgent, prompt, stop };
}

const unwrapped = (argv: string[]): string[] => argv;

export type Rig = ReturnType<typeof createRig>;
