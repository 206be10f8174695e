/**
 * The names of the MCP tools with which an agent handles packages in its session. This is the only list of the names.
 */
export const PACKAGE_TOOLS = [
  'handoff_inbox',
  'handoff_agents',
  'handoff_create',
  'handoff_receive',
  'handoff_ack',
  'handoff_decline',
  'handoff_answer',
  'handoff_progress',
  'handoff_return',
  'handoff_complete',
  'handoff_fail',
  'handoff_run_ack',
  'handoff_request',
] as const;
export type PackageTool = (typeof PACKAGE_TOOLS)[number];

/** The name of Baton's MCP server in the configuration of the agents. */
export const TOOL_SERVER = 'baton';

export const theTool = (name: PackageTool): string => `the tool ${name} (${TOOL_SERVER})`;
