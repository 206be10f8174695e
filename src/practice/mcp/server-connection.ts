import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ServerConfig } from './server-config.ts';

const PROTOCOL = '2025-06-18';
const TIMEOUT_MS = 90_000;

export interface ToolSaid {
  readonly ok: boolean;
  readonly text: string;
}

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (problem: Error) => void;
}

interface Result {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly tools?: readonly { readonly name: string }[];
}

/**
 * Exchanges JSON-RPC messages, one per line, over the pipes of a server process. The server process ends when the agent
 * ends.
 */
export class ServerConnection {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ended: Error | undefined;

  constructor({ command, args, env }: ServerConfig, cwd: string) {
    this.child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
    this.child.on('error', (problem) => this.end(problem));
    this.child.on('exit', (code, signal) => this.end(new Error(`it ended (${code ?? signal})`)));
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.resume();
    createInterface({ input: this.child.stdout }).on('line', (line) => this.take(line));
  }

  get isOpen(): boolean {
    return this.ended === undefined;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  async begin(): Promise<{ readonly tools: readonly string[] }> {
    const clientInfo = { name: 'practice', version: '1' };
    await this.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    this.send({ method: 'notifications/initialized' });
    const { tools = [] } = await this.request('tools/list', {});
    return { tools: tools.map(({ name }) => name) };
  }

  async call(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolSaid> {
    const { content = [], isError = false } = await this.request('tools/call', { name, arguments: input });
    return { ok: !isError, text: content.map(({ text = '' }) => text).join('\n') };
  }

  private request(method: string, params: object): Promise<Result> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(this.ended);
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), TIMEOUT_MS);
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          this.waiting.delete(id);
          then(value);
        };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.send({ id, method, params });
    });
  }

  private send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Handles one message. Ignores messages that do not answer a pending request. */
  private take(line: string): void {
    let message: { id?: number; result?: Result; error?: { message?: string } };
    try {
      message = JSON.parse(line);
    } catch {
      this.end(new Error('the MCP server sent a line that is not JSON-RPC'));
      return;
    }
    const asked = this.waiting.get(message.id ?? 0);
    if (message.error !== undefined)
      asked?.reject(new Error(message.error.message ?? 'the MCP server refused the request without a reason'));
    else asked?.resolve(message.result ?? {});
  }

  private end(problem: Error): void {
    this.ended ??= problem;
    for (const { reject } of [...this.waiting.values()]) reject(problem);
    this.child.kill();
  }
}
