import { fileURLToPath } from 'node:url';
import type { AgentRuntime } from '../../app/ports/agent-runtime.ts';
import { createClaudeCodeRuntime } from './claude-code/claude-code-runtime.ts';
import { createCodexRuntime } from './codex/codex-runtime.ts';
import { createOpencodeRuntime } from './opencode/opencode-runtime.ts';
import { createPracticeRuntime } from './practice/practice-runtime.ts';

export interface RuntimePrograms {
  readonly practice: string;
}

/** All runtimes. To add an agent CLI, add one folder beside this file and one line here. */
export function createRuntimes(programs: RuntimePrograms, env: NodeJS.ProcessEnv): ReadonlyMap<string, AgentRuntime> {
  const all = [
    createPracticeRuntime(programs.practice, env),
    createClaudeCodeRuntime(env),
    createCodexRuntime(env),
    createOpencodeRuntime(hostOf('opencode'), env),
  ];
  return new Map(all.map((runtime) => [runtime.id, runtime]));
}

/**
 * Returns the path of Baton's own program that starts the given client and reports its events. The path is
 * correct only in the build, because the bundled program exists only there (scripts/build/program.mjs).
 */
const hostOf = (client: string): string => fileURLToPath(new URL(`../hosts/${client}.js`, import.meta.url));
