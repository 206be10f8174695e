/** The tools by which an agent uses packages from inside its session. Other files take the names from here. */
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
] as const;
export type PackageTool = (typeof PACKAGE_TOOLS)[number];

/** The name under which agents know the server that has these tools. */
export const TOOL_SERVER = 'baton';

export const theTool = (name: PackageTool): string => `the tool ${name} (${TOOL_SERVER})`;
