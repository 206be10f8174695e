/** The tools by which an agent uses packages from inside its session. Whoever names one takes its name from here. */
export const PACKAGE_TOOLS = [
  'handoff_inbox',
  'handoff_receive',
  'handoff_ack',
  'handoff_ask',
  'handoff_decline',
  'handoff_progress',
  'handoff_return',
  'handoff_complete',
  'handoff_fail',
  'handoff_lint',
  'handoff_create',
  'handoff_seal',
  'handoff_answer',
  'handoff_lineage',
  'gate_list',
  'handoff_run_ack',
] as const;
export type PackageTool = (typeof PACKAGE_TOOLS)[number];

/** The name under which agents know the server that has these tools. */
export const TOOL_SERVER = 'baton';

export const theTool = (name: PackageTool): string => `the tool ${name} (${TOOL_SERVER})`;
