import { join } from 'node:path';
import type { LaunchContext } from '../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../domain/packages/tools.ts';

const FILE = 'mcp.json';

/** The path of the file that tells an agent's client how to start the MCP server with the package tools. */
export const toolServerPath = ({ agentFolder }: LaunchContext): string => join(agentFolder, FILE);

/**
 * Returns the file that tells an agent's client how to start the MCP server. The file contains only the name of the
 * variable with the agent's token, because the token itself must stay in the agent's environment.
 */
export const toolServerFile = ({ batonProgram }: LaunchContext): Readonly<Record<string, string>> => ({
  [FILE]: `${JSON.stringify(
    {
      mcpServers: {
        [TOOL_SERVER]: {
          type: 'stdio',
          command: batonProgram,
          args: ['mcp'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces this with the variable
          env: { BATON_AGENT_TOKEN: '${BATON_AGENT_TOKEN}' },
        },
      },
    },
    null,
    2,
  )}\n`,
});
