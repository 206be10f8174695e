/**
 * Returns the name of the agent's tmux session. tmux refuses a second session with the same name, which prevents a
 * second launch of the same agent even if other checks fail.
 */
export const tmuxSessionName = (agentId: number): string => `agent-${agentId}`;
