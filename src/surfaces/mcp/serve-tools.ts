import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createBatonApi } from './baton-api.ts';
import { boundedLines } from './bounded-lines.ts';
import { createToolServer } from './create-tool-server.ts';

export interface ToolsRequest {
  readonly homePath: string;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: { write(text: string): unknown };
}

const INVALID_REQUEST = -32600;

/**
 * Serves one agent until its client closes the pipe; resolves to the exit code. Only messages of the protocol go to
 * stdout.
 */
export function serveTools({ homePath, version, env, stdin, stdout, stderr }: ToolsRequest): Promise<number> {
  const api = createBatonApi({ homePath, token: env.BATON_AGENT_TOKEN ?? '' });
  const refuse = (id: string | number | null): void => {
    const error = {
      code: INVALID_REQUEST,
      message: 'The message is too large: name files instead of copying their content.',
    };
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  };
  const lines = stdin.pipe(boundedLines(refuse));
  return new Promise((resolve) => {
    const handle = serveStdio(() => createToolServer(api, version), {
      transport: new StdioServerTransport(lines, stdout),
      onerror: (error) => stderr.write(`baton mcp: ${error.message.split('\n')[0]}\n`),
    });
    const end = (): void => void handle.close().then(() => resolve(0));
    stdin.once('end', end);
    stdin.once('close', end);
  });
}
