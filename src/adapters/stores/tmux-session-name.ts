/** tmux refuses a second session of the same name, which is a second guard against launching two successors. */
export const tmuxSessionName = (agentId: number): string => `agent-${agentId}`;
