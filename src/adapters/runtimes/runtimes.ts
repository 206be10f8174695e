import type { AgentRuntime } from '../../app/ports/agent-runtime.ts';
import { createClaudeCodeRuntime } from './claude-code/claude-code-runtime.ts';
import { createPracticeRuntime } from './practice/practice-runtime.ts';

export interface RuntimePrograms {
  readonly practice: string;
}

/** All runtimes. A new agent CLI is one folder beside this file and one line here. */
export function createRuntimes(programs: RuntimePrograms, env: NodeJS.ProcessEnv): ReadonlyMap<string, AgentRuntime> {
  const all = [createPracticeRuntime(programs.practice, env), createClaudeCodeRuntime(env)];
  return new Map(all.map((runtime) => [runtime.id, runtime]));
}
