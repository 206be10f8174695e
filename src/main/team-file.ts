import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { schemaProblems } from '../contract/packages/package-problems.ts';
import { type TeamEntry, TeamFile } from '../contract/team.ts';
import { CliFault, EXIT } from '../surfaces/cli/cli-fault.ts';
import { readBounded } from './lint-file.ts';

/** Reads a team file. Throws CliFault with the line of the first problem. */
export function readTeam(file: string): readonly TeamEntry[] {
  const parsed = parseStrictYaml(readBounded(file));
  if ('problem' in parsed) throw badTeam(file, parsed.problem.line, parsed.problem.sentence);
  const { value, lineOf } = parsed;
  const [problem] = schemaProblems(TeamFile, value);
  if (problem !== undefined) {
    const { kind, path, message } = problem;
    // The field `worktree` may be true, false or a name, but the schema's own message would name only one of these
    // types.
    const sentence = path.at(-1) === 'worktree' ? 'This value must be true, false or a name.' : message;
    const shown = kind === 'missing' ? path.slice(0, -1) : path;
    throw badTeam(file, lineOf(path), `${shown.length === 0 ? '' : `${shown.join('.')}: `}${sentence}`);
  }
  const entries = entriesOf(file, TeamFile.parse(value), lineOf);
  const twice = entries.find(
    (one, at) => entries.findIndex((each) => each.project === one.project && isSame(each, one)) < at,
  );
  if (twice !== undefined)
    throw badTeam(file, twice.line, `${twice.name} is in this file twice for the project ${twice.project}.`);
  return entries;
}

const badTeam = (file: string, line: number | undefined, sentence: string): CliFault =>
  new CliFault(`${file}${line === undefined ? '' : ` line ${line}`}: ${sentence}`, {
    code: 'bad_team',
    exitCode: EXIT.usage,
  });

function entriesOf(
  file: string,
  team: ReturnType<typeof TeamFile.parse>,
  lineOf: (path: readonly (string | number)[]) => number | undefined,
): readonly TeamEntry[] {
  return team.agents.map(({ worktree = false, ...agent }, at) => ({
    line: lineOf(['agents', at]) ?? 1,
    name: agent.name,
    role: agent.role,
    project: folderOf(file, agent.project ?? team.project ?? '.'),
    runtime: agent.runtime ?? team.runtime,
    worktree: worktree === false ? undefined : worktree === true ? '' : worktree,
    prompt: agent.prompt,
  }));
}

const folderOf = (file: string, path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(dirname(file), path);

const isSame = (one: TeamEntry, other: TeamEntry): boolean =>
  one.name.toLowerCase() === other.name.toLowerCase() && (one.role ?? other.role) === (other.role ?? one.role);
