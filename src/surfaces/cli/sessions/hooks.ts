import type { Candidate, HookSettings } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { EXIT, ServerUnreachable } from '../cli-fault.ts';
import { getCandidates } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago } from '../output/when.ts';

const STATES = {
  not_installed: 'not installed. Install them: baton hooks install',
  installed: 'installed',
  outdated: 'outdated, or from another Baton. Update them: baton hooks install',
  partly: 'installed only in part. Repair them: baton hooks install',
} as const;

const NEXT =
  'If you now start a session in your own tmux, you can adopt this session: baton agent adopt SESSION. Baton does not touch a session that is not adopted.';

export async function showHooks(cli: Cli): Promise<number> {
  const settings = await cli.deps.hooks({ wish: 'look', dryRun: false });
  const candidates = await seenSessions(cli);
  if (cli.json) cli.out.json({ settings, candidates: candidates ?? null });
  else {
    for (const each of settings) print(cli, stateLines(each));
    print(cli, sessionLines(candidates));
    if (settings.some((each) => each.sees_sessions)) cli.out.print(ink('dim', NEXT));
  }
  return settings.every((each) => each.sees_sessions) ? EXIT.done : EXIT.failed;
}

export async function changeHooks(cli: Cli, wish: 'install' | 'uninstall', dryRun: boolean): Promise<number> {
  const settings = await cli.deps.hooks({ wish, dryRun });
  if (cli.json) cli.out.json({ dry_run: dryRun, settings });
  else {
    for (const each of settings) print(cli, dryRun ? cli.out.fit(diffLines(each)) : changeLines(each));
    if (wish === 'install' && settings.some(({ state }) => state !== null)) cli.out.print(ink('dim', NEXT));
  }
  return settings.every((each) => each.state !== null) ? EXIT.done : EXIT.failed;
}

function print({ out }: Cli, lines: readonly (readonly Part[])[]): void {
  for (const line of lines) out.print(...line);
}

/**
 * Returns the sessions that the server knows. If no server runs, returns undefined and throws no error, because Baton
 * can show the hooks even without a server.
 */
async function seenSessions({ deps }: Cli): Promise<readonly Candidate[] | undefined> {
  try {
    return (await getCandidates(operatorClient(deps))).data;
  } catch (error) {
    if (error instanceof ServerUnreachable) return undefined;
    throw error;
  }
}

function stateLines(settings: HookSettings): Part[][] {
  const { title, state, version, file, hooks, script, script_exists: isThere, problem } = settings;
  if (state === null) return [[ink('bold', title), `: ${problem}`]];
  return [
    [ink('bold', title), ': the hooks are ', ink(state === 'installed' ? 'green' : 'yellow', STATES[state])],
    ...table(
      [],
      [
        ['file', file],
        ...(version === null ? [] : [['version', `${version} (this Baton installs ${settings.current_version})`]]),
        ...hooks.map(({ event, command }) => [event, command]),
        ['script', isThere ? script : `${script} does not exist yet; Baton creates it when it starts: baton start`],
        ...(settings.plugin ? [['plugin', pluginWords(settings)]] : []),
        ['your own sessions', settings.sees_sessions ? 'visible to Baton' : 'not visible to Baton'],
      ],
    ).map((line) => ['  ', ...line]),
    ...(problem === null ? [] : [[ink('yellow', `  ${problem}`)]]),
  ];
}

const pluginWords = ({ state }: Pick<HookSettings, 'state'>): string =>
  state === 'not_installed'
    ? 'enabled; it reports your sessions'
    : 'enabled; its hooks are silent, because the hooks in this file report your sessions';

/** Shows how the settings file of an agent program would change, in the format of `diff -u`. */
function diffLines(settings: HookSettings): Part[][] {
  const { title, file, diff, changes, state } = settings;
  if (state === null || changes.length === 0) return changeLines(settings);
  return [
    [`${title}: ${file} would be changed; nothing was written`],
    [`--- ${file}`],
    [`+++ ${file} (after the change)`],
    ...diff.map((line): Part[] => [inkOf(line)]),
  ];
}

function inkOf(line: string): Part {
  if (line.startsWith('+')) return ink('green', line);
  if (line.startsWith('-')) return ink('red', line);
  return line.startsWith('@@') ? ink('cyan', line) : line;
}

function changeLines({ title, file, changes, backup, problem, state, plugin }: HookSettings): Part[][] {
  if (state === null) return [[ink('yellow', `${title}: ${problem}`)]];
  if (changes.length === 0) return [[TICK, ` ${title}: nothing to change in ${file}`]];
  return [
    [TICK, ` ${title}: ${file} was changed`],
    ...changes.map(({ what, event, command }) => [`  ${what} ${event}: `, ink('dim', command)]),
    ...(backup === null ? [] : [[`  backup: ${backup}`]]),
    ...(plugin ? [[`  plugin: ${pluginWords({ state })}`]] : []),
    ...(problem === null ? [] : [[ink('yellow', `  ${problem}`)]]),
  ];
}

function sessionLines(candidates: readonly Candidate[] | undefined): Part[][] {
  if (candidates === undefined) return [['Baton is not running, so the sessions that it has seen are not listed.']];
  if (candidates.length === 0) return [['Baton has not seen a session of your own yet.']];
  return table(
    ['session', 'folder', 'tmux pane', 'last seen', 'alive', 'can be adopted'],
    candidates.map(({ session_id, folder, tmux, last_seen_at, alive, why_not }) => [
      session_id,
      folder ?? '-',
      tmux === null ? '-' : `${tmux.pane} on ${tmux.socket}`,
      ago(last_seen_at),
      alive ? ink('green', 'yes') : 'no',
      why_not === null ? ink('green', 'yes') : whyNot(alive, why_not),
    ]),
  );
}

/** Says why a live session cannot be adopted. For an ended session, gives no reason, because the reason is obvious. */
const whyNot = (alive: boolean, sentence: string): Part => (alive ? ink('yellow', `no: ${sentence}`) : 'no');
