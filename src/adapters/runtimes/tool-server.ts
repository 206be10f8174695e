import { join } from 'node:path';
import type { LaunchContext } from '../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../domain/packages/tools.ts';

const FILE = 'mcp.json';

/** Where the client of an agent finds the server of its package tools, and what stands there. */
export const toolServerPath = ({ agentFolder }: LaunchContext): string => join(agentFolder, FILE);

/** The token is named, not written: it stands in the environment of the agent alone. */
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
