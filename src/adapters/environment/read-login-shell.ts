import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../domain/environment/variable.ts';
import { runSupervised, type SupervisedRun } from './run-supervised.ts';

export interface LoginShell {
  readonly shell: string;
  readonly env: NodeJS.ProcessEnv;
  readonly patienceMs?: number;
}

/**
 * The variables of the login shell, or the reason why Baton could not read them. The reason completes the sentence
 * "Your login shell …".
 */
export type LoginRead = { readonly env: Environment } | { readonly problem: string };

const PATIENCE_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Prints variables with `env -0`, because a value may contain line breaks. The `env` on the operator's PATH may not
 * support `-0`. In that case, `command -p env` runs the system's own `env`.
 */
const print = (mark: string): string =>
  `exec /bin/sh -c 'printf %s ${mark}; { env -0 2>/dev/null || command -p env -0; } && printf %s ${mark}'`;

/**
 * Runs the operator's shell as a terminal does, so that version managers, keys and language are set, and reads the
 * variables that the shell exports. Baton ignores all output before its own mark, because that output comes from the
 * operator's startup files.
 */
export async function readLoginShell({ shell, env, patienceMs = PATIENCE_MS }: LoginShell): Promise<LoginRead> {
  const mark = `baton-${randomBytes(12).toString('hex')}`;
  const run = await runSupervised({
    argv: [shell, '-l', '-i', '-c', print(mark)],
    // BATON_READS_ENVIRONMENT lets the operator's startup files skip steps that start tmux or ask a question.
    env: { ...env, BATON_READS_ENVIRONMENT: '1', TERM: 'dumb' },
    cwd: env.HOME || '/',
    patienceMs,
    mostBytes: MAX_BYTES,
    isEnough: (output) => between(output, mark) !== undefined,
  });
  const told = 'stdout' in run ? between(run.stdout, mark) : undefined;
  return told === undefined ? { problem: problemOf(run, patienceMs) } : { env: variablesIn(told) };
}

function problemOf(run: SupervisedRun, patienceMs: number): string {
  if (run.end === 'patience') return `did not answer within ${patienceMs / 1000} s`;
  if (run.end === 'size') return 'printed more than 4 MiB';
  if (run.end === 'not_run') return `could not be run (${run.why})`;
  return `ended ${run.end === 'exit' && run.code !== null ? `with code ${run.code} ` : ''}before it printed its environment`;
}

function between(output: Buffer, mark: string): Buffer | undefined {
  const first = output.indexOf(mark);
  const last = first < 0 ? -1 : output.indexOf(mark, first + mark.length);
  return last < 0 ? undefined : output.subarray(first + mark.length, last);
}

/** Skips values that are not UTF-8, because they could not be written unchanged to the agent's variables file. */
function variablesIn(printed: Buffer): Environment {
  const variables: Record<string, string> = {};
  for (let start = 0; start < printed.length; ) {
    const stop = printed.indexOf(0, start);
    const entry = printed.subarray(start, stop < 0 ? printed.length : stop);
    start = stop < 0 ? printed.length : stop + 1;
    const sign = entry.indexOf('=');
    if (sign > 0 && isUtf8(entry)) variables[entry.toString('utf8', 0, sign)] = entry.toString('utf8', sign + 1);
  }
  return variables;
}
