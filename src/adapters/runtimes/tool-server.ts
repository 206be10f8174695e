import { join } from 'node:path';
import type { LaunchContext } from '../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../domain/packages/tools.ts';

const FILE = 'mcp.json';

/** The file in which an agent's client finds the MCP server with its package tools. */
export const toolServerPath = ({ agentFolder }: LaunchContext): string => join(agentFolder, FILE);

/**
 * Names the variable of the token and does not contain the token itself, because only the agent's environment may have
 * it.
 */
export const toolServerFile = ({ batonProgram }: LaunchContext): Readonly<Record<string, string>> => ({
  [FILE]: `${JSON.stringify(
    {
      mcpServers: {
        [TOOL_SERVER]: {
          type: 'stdio',
          command: batonProgram,
          args: ['mcp'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the variable in
          env: { BATON_AGENT_TOKEN: '${BATON_AGENT_TOKEN}' },
        },
      },
    },
    null,
    2,
  )}\n`,
});
