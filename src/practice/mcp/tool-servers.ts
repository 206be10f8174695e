import type { EvidenceLog } from '../evidence-log.ts';
import { readServerConfigs, type ServerConfig } from './server-config.ts';
import { ServerConnection, type ToolSaid } from './server-connection.ts';

export interface ToolRequest {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The MCP servers. Each server is started at its first use, because most sessions use no server. */
export class ToolServers {
  private readonly configs: ReadonlyMap<string, ServerConfig>;
  private readonly cwd: string;
  private readonly log: EvidenceLog;
  private readonly open = new Map<string, ServerConnection>();

  constructor(file: string | undefined, cwd: string, log: EvidenceLog) {
    this.configs = file === undefined ? new Map() : readServerConfigs(file);
    this.cwd = cwd;
    this.log = log;
  }

  /** Calls a tool. Never rejects: an unavailable server is reported as a failed tool. */
  async call({ server, tool, input }: ToolRequest): Promise<ToolSaid> {
    try {
      const said = await (await this.connect(server)).call(tool, input);
      this.log.write('mcp', { server, tool, input, ...said });
      return said;
    } catch (problem) {
      const text = `The server ${server} cannot be used: ${(problem as Error).message}`;
      this.log.write('mcp', { server, tool, input, ok: false, text, broken: true });
      return { ok: false, text };
    }
  }

  private async connect(name: string): Promise<ServerConnection> {
    const known = this.open.get(name);
    if (known?.isOpen) return known;
    const config = this.configs.get(name);
    if (config === undefined) throw new Error(`the agent's configuration has no MCP server named "${name}"`);
    const connection = new ServerConnection(config, this.cwd);
    this.open.set(name, connection);
    const { tools } = await connection.begin();
    this.log.write('mcp_server', { server: name, server_pid: connection.pid, tools });
    return connection;
  }
}
