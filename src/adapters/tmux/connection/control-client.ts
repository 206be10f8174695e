import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type Block, createBlockParser } from './block-parser.ts';
import { missingTmux, type TmuxProgram } from './run-tmux.ts';
import { TerminalFault, type TerminalFaultKind } from './terminal-fault.ts';

export interface Request {
  readonly operation: string;
  readonly target: string;
  /**
   * One line of tmux commands, separated by ` ; `, because in control mode `\;` would be a literal word. `quote` never
   * produces this separator inside a word.
   */
  readonly line: string;
}

export interface ControlClient {
  readonly alive: boolean;
  /** Sends the line to tmux. Returns the answers to all commands of the line in order, including the failed ones. */
  request(request: Request): Promise<readonly Block[]>;
  close(): Promise<void>;
}

interface Waiting {
  readonly request: Request;
  readonly sentinel: string;
  readonly blocks: Block[];
  readonly timer: NodeJS.Timeout;
  resolve(blocks: readonly Block[]): void;
  reject(fault: TerminalFault): void;
}

export interface ControlClientOptions {
  readonly program: TmuxProgram;
  readonly args: readonly string[];
  onNotice(line: string): void;
  onExit(): void;
}

const CLOSE_GRACE_MS = 1000;

export function spawnControlClient(options: ControlClientOptions): ControlClient {
  const { program, args } = options;
  const child = spawn(program.binary, args, { env: program.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const session = randomBytes(9).toString('hex');
  const queue: Waiting[] = [];
  let serial = 0;
  let alive = true;

  const exited = new Promise<void>((resolve) => {
    child.once('close', () => {
      giveUp('lost', 'the connection to tmux ended');
      options.onExit();
      resolve();
    });
  });
  child.once('error', (error) => {
    giveUp('lost', missingTmux(program.binary).message, error);
  });
  // Ignore a failed write to a client that has just ended, because `close` reports the end.
  child.stdin.on('error', () => undefined);

  function giveUp(kind: TerminalFaultKind, why: string, cause?: unknown): void {
    alive = false;
    for (const { request, timer, reject } of queue.splice(0)) {
      clearTimeout(timer);
      const { operation, target } = request;
      reject(new TerminalFault(kind, operation, target, `${why}; the result of "${operation}" is unknown`, cause));
    }
  }

  function kill(kind: TerminalFaultKind, why: string): void {
    giveUp(kind, why);
    child.kill('SIGKILL');
  }

  function onBlock(block: Block): void {
    const head = queue[0];
    if (head === undefined) return;
    if (block.lines.length !== 1 || block.lines[0] !== head.sentinel) {
      head.blocks.push(block);
      return;
    }
    queue.shift();
    clearTimeout(head.timer);
    head.resolve(head.blocks);
  }

  const parse = createBlockParser({
    onBlock,
    onNotice: options.onNotice,
    onBroken: (message) => kill('lost', message),
  });
  child.stdout.on('data', parse);

  function request(asked: Request): Promise<readonly Block[]> {
    const { operation, target, line } = asked;
    if (!alive) {
      return Promise.reject(new TerminalFault('lost', operation, target, 'the connection to tmux has ended'));
    }
    // Refuse an empty line, because it would detach the control client. Refuse two lines, because the answer to the
    // second line would count as an answer to the first.
    if (line.trim() === '' || line.includes('\n')) {
      return Promise.reject(new TerminalFault('invalid', operation, target, 'a tmux request must be one line'));
    }
    return new Promise((resolve, reject) => {
      const late = `tmux did not answer within ${program.timeoutMs} ms`;
      const sentinel = `baton-${session}-${serial++}`;
      // Read the input once more before the timeout counts. After the machine was suspended, this timer fires at once,
      // although an answer may already be waiting in the input.
      const isLate = () => queue.some((waiting) => waiting.sentinel === sentinel) && kill('timeout', late);
      const timer = setTimeout(() => setImmediate(isLate), program.timeoutMs);
      queue.push({ request: asked, sentinel, blocks: [], timer, resolve, reject });
      child.stdin.write(`${line}\ndisplay-message -p ${sentinel}\n`);
    });
  }

  async function close(): Promise<void> {
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_GRACE_MS);
    child.stdin.end();
    await exited;
    clearTimeout(timer);
  }

  return {
    get alive() {
      return alive;
    },
    request,
    close,
  };
}
