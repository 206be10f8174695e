import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { schemaProblems } from '../contract/packages/package-problems.ts';
import { type TeamEntry, TeamFile } from '../contract/team.ts';
import { refuseName } from '../domain/worktrees/worktree.ts';
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
    // Replace the schema's own message about the field `worktree`: the field may be true, false or a name, but that
    // message would mention only one of these types.
    const sentence =
      path.at(-1) === 'worktree'
        ? 'This value must be true, false or a name.'
        : kind === 'unknown_key'
          ? `${message} The keys are ${(path.length === 1 ? KEYS_OF_FILE : KEYS_OF_AGENT).join(', ')}.`
          : message;
    const shown = kind === 'missing' ? path.slice(0, -1) : path;
    throw badTeam(file, lineOf(path), `${shown.length === 0 ? '' : `${shown.join('.')}: `}${sentence}`);
  }
  const entries = entriesOf(file, TeamFile.parse(value), lineOf);
  for (const [at, { worktree = '' }] of entries.entries()) {
    const sentence = whyNoWorktree(worktree);
    if (sentence !== undefined)
      throw badTeam(file, lineOf(['agents', at, 'worktree']), `agents.${at}.worktree: ${sentence}`);
  }
  const twice = entries.find(
    (one, at) => entries.findIndex((each) => each.project === one.project && isSame(each, one)) < at,
  );
  if (twice !== undefined)
    throw badTeam(file, twice.line, `${twice.name} is in this file twice for the project ${twice.project}.`);
  return entries;
}

const KEYS_OF_FILE = Object.keys(TeamFile.shape);
const KEYS_OF_AGENT = Object.keys(TeamFile.shape.agents.element.shape);

/**
 * Matches words by which an author may mean true or false. In YAML 1.2, these words are strings, so `worktree: no`
 * would start the agent in a worktree with the name "no".
 */
const SWITCH_WORD = /^(?:y|n|yes|no|on|off)$/i;

const whyNoWorktree = (name: string): string | undefined =>
  SWITCH_WORD.test(name)
    ? `"${name}" is read as a text, not as true or false. Write true or false without quotation marks, or the name of a worktree.`
    : name === ''
      ? undefined
      : refuseName(name)?.sentence.concat('.');

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
