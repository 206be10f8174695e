/** Unique on our tmux server, which refuses a second session of the same name: the second fence against two successors. */
export const tmuxSessionName = (agentId: number): string => `agent-${agentId}`;
