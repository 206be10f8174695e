import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Block } from './connection/block-parser.ts';
import type { Request } from './connection/control-client.ts';
import { runTmux, type TmuxProgram } from './connection/run-tmux.ts';
import { TerminalFault } from './connection/terminal-fault.ts';
import type { TmuxSession } from './tmux-session.ts';
import { checkSocketPath } from './typing/checks.ts';

const ABSENT = /^(no server running on|error connecting to)/;
const MAX_TRIES = 5;
const LOST = /^(server exited|lost server)/;

/**
 * Access to the operator's own tmux server. Each line of commands runs in a separate tmux process, because a control
 * client would have to attach to one of the operator's sessions. `-N` keeps tmux from starting a server.
 */
export function createExternalTmux(program: TmuxProgram, socketPath: string): TmuxSession {
  checkSocketPath(socketPath);
  const args = ['-u', '-S', socketPath, '-N', 'source-file', '-'];

  async function askOnce(request: Request): Promise<readonly Block[] | undefined> {
    const { operation, target } = request;
    const fault = (kind: 'failed' | 'lost', message: string) => new TerminalFault(kind, operation, target, message);
    if (request.line.includes('\n')) throw fault('failed', 'a tmux request must be one line');
    const end = `baton-${randomBytes(9).toString('hex')}`;
    const commands = request.line.split(' ; ').flatMap((command) => [command, `display-message -p ${end}`]);
    const run = await runTmux(program, args, `${commands.join(' ; ')}\n`);
    if (!run.ok && ABSENT.test(run.stderr)) return undefined;
    if (!run.ok && LOST.test(run.stderr)) throw fault('lost', `the operator's tmux ended: ${run.stderr}`);
    return blocksIn(run.stdout, end, run.ok ? undefined : run.stderr);
  }

  /**
   * Repeats a request that was lost because the operator's tmux server is shutting down. When this server has ended,
   * the repeated request returns undefined.
   */
  async function ask(request: Request): Promise<readonly Block[] | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(request);
      } catch (error) {
        if (!(error instanceof TerminalFault) || error.kind !== 'lost' || attempt === MAX_TRIES) throw error;
        await sleep(25 * attempt);
      }
    }
  }

  async function askStarting({ operation, target }: Request): Promise<readonly Block[]> {
    throw new TerminalFault('invalid', operation, target, "Baton starts nothing in the operator's own tmux");
  }

  return { ask, askOnce, askStarting };
}

/**
 * Splits tmux's output into one block per command. If a command fails, tmux does not run the rest of the line, so the
 * error is in the last block.
 */
function blocksIn(output: string, end: string, problem: string | undefined): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  for (const line of output.split('\n')) {
    if (line !== end) {
      lines.push(line);
      continue;
    }
    blocks.push({ lines, failed: false });
    lines = [];
  }
  return problem === undefined ? blocks : [...blocks, { lines: [problem], failed: true }];
}
