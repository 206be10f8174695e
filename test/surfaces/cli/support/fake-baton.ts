import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

type Handler = (seen: Seen, answer: ServerResponse) => void;

export const OPERATOR_TOKEN = 'operator-token-0123456789';

/**
 * A home with a fake server. The test sets the server's answers, and the server records the requests of the command
 * line.
 */
export class FakeBaton {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'baton-cli-')));
  readonly seen: Seen[] = [];
  private readonly handlers = new Map<string, Handler>();
  private server: Server | undefined;

  constructor() {
    writeFileSync(join(this.home, 'token'), `${OPERATOR_TOKEN}\n`);
    // Commands that list agents also read the inbox, so the fake server has an empty inbox by default.
    this.answer('GET /api/inbox', { items: [] });
  }

  /** Sets the handler for a request such as `GET /api/health`. The query of the request is ignored. */
  on(what: string, handler: Handler): this {
    this.handlers.set(what, handler);
    return this;
  }

  answer(what: string, body: unknown, status = 200): this {
    return this.on(what, (_seen, answer) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  }

  listen(): Promise<void> {
    const server = createServer((request, answer) => void this.handle(request, answer));
    this.server = server;
    return new Promise((resolve) => server.listen(join(this.home, 'baton.sock'), resolve));
  }

  /** Ends the server as kill -9 does: connections break, and the socket no longer answers. */
  async die(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async remove(): Promise<void> {
    await this.die();
    rmSync(this.home, { recursive: true, force: true });
  }

  private async handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) };
    this.seen.push(seen);
    const handler = this.handlers.get(`${method} ${url.split('?', 1)[0]}`);
    if (handler !== undefined) handler(seen, answer);
    else answer.writeHead(404).end(JSON.stringify({ error: `No ${method} ${url} here`, code: 'not_found' }));
  }
}

/** One frame of an event stream. */
export function frame(event: { readonly seq: number; readonly type: string }): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
