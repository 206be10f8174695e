import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment, EnvironmentChange } from '../../domain/environment/variable.ts';
import { runSupervised, type SupervisedRun } from './run-supervised.ts';

export interface DirenvRead {
  readonly changes: EnvironmentChange;
  readonly problem?: string;
}

const PATIENCE_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const NONE: DirenvRead = { changes: {} };

/**
 * Reads the variables that direnv would load in this folder. direnv itself refuses any .envrc that the operator has not
 * allowed.
 */
export async function readDirenv(folder: string, env: Environment, patienceMs = PATIENCE_MS): Promise<DirenvRead> {
  const program = (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((place) => join(place, 'direnv'))
    .find(isProgram);
  if (program === undefined) return NONE;
  const run = await runSupervised({
    argv: [program, 'export', 'json'],
    env: { ...env },
    cwd: folder,
    patienceMs,
    mostBytes: MAX_BYTES,
  });
  if (run.end === 'exit' && run.code === 0) return changesIn(run.stdout.toString('utf8'), folder);
  return {
    changes: {},
    problem: `direnv ${whyNot(run, patienceMs)}, so agents in ${folder} get no variables from direnv.`,
  };
}

function whyNot(run: SupervisedRun, patienceMs: number): string {
  if (run.end === 'patience') return `did not answer within ${patienceMs / 1000} s`;
  if (run.end !== 'exit') return 'could not be read';
  return /is blocked/.test(run.stderr)
    ? 'is not allowed there (read the .envrc, then run in that folder: direnv allow)'
    : `failed with code ${run.code ?? 'none'}`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Parses the output of direnv. The output is empty if there is no .envrc. */
function changesIn(output: string, folder: string): DirenvRead {
  if (output.trim() === '') return NONE;
  try {
    const entries = Object.entries(JSON.parse(output) as Record<string, unknown>);
    return {
      changes: Object.fromEntries(
        entries.filter((entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string'),
      ),
    };
  } catch {
    return { changes: {}, problem: `Baton ignores direnv for ${folder}, because its output is not JSON.` };
  }
}
