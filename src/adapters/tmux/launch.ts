import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchRequest, PaneIdentity } from '../../app/ports/terminal.ts';
import { endInWords, type ProgramEnd } from '../../domain/agents/program-end.ts';
import type { Block } from './connection/block-parser.ts';
import type { Request } from './connection/control-client.ts';
import { quote } from './connection/quote.ts';
import { TerminalFault } from './connection/terminal-fault.ts';
import { PANE_COLUMNS, PANE_ROWS } from './connection/tmux-config.ts';
import { isUncollected } from './foreground.ts';
import { FACTS_FORMAT, parseFacts } from './pane-facts.ts';
import { answersOf, type TmuxSession } from './tmux-session.ts';
import { checkName } from './typing/checks.ts';
import { becomesSoWithin, createPace } from './typing/pace.ts';
import { createPaneAccess, type PaneAccess } from './typing/pane-access.ts';

/**
 * How long Baton watches a launched program, to notice that the program exits right after its start. A program that
 * cannot be executed ends within milliseconds, but only after tmux has reported the launch as done.
 */
const EARLY_END_MS = 120;
const LOOK_EVERY_MS = 20;

export interface LaunchWatch {
  /** How long Baton watches the launched program, to notice that the program exits right after its start. */
  readonly forMs?: number | undefined;
  /** Called if the program exits soon after its session has begun. By then, `launch` has already returned. */
  onEarlyEnd(): void;
}

/** Returns at least two words, because tmux runs a single word in a shell but executes two or more words directly. */
function directly(argv: readonly string[]): readonly string[] {
  const [only] = argv;
  return argv.length === 1 && only !== undefined ? ['sh', '-c', 'exec "$0"', only] : argv;
}

/**
 * Returns the line that creates and tags the pane. One line does both, so that a crash cannot leave an untagged pane.
 * The same line sets `remain-on-exit` before the program can end.
 */
function launchLine({ sessionName, tag, argv }: LaunchRequest): string {
  const words = directly(argv).map(quote).join(' ');
  const size = `-x ${PANE_COLUMNS} -y ${PANE_ROWS}`;
  const create = `new-session -d -s ${sessionName} ${size} -P -F ${FACTS_FORMAT} -- ${words}`;
  const set = `set-option -p -t =${sessionName}:`;
  // Set an empty format for the text of a dead pane, because tmux's own note would push one line of a full-screen
  // program off the screen. `-q` is needed, because tmux 3.2 does not have this option.
  const stay = `${set} remain-on-exit on ; ${set} -q remain-on-exit-format ''`;
  return `${create} ; ${set} @baton_tag ${tag} ; ${stay}`;
}

export async function launch(session: TmuxSession, asked: LaunchRequest, watch: LaunchWatch): Promise<PaneIdentity> {
  const { sessionName, tag, argv } = asked;
  checkName('launch', 'session name', sessionName);
  checkName('launch', 'tag', tag);
  if (argv.length === 0) throw new TerminalFault('invalid', 'launch', sessionName, 'there is no program to launch');
  const request = { operation: 'launch', target: sessionName, line: launchLine(asked) };
  const blocks = await session.askStarting(request);
  if (blocks[0]?.failed && blocks[0].lines.join('').startsWith('duplicate session')) return adopt(session, asked);
  const [created] = answersOf(request, blocks, 4) as [Block, Block, Block, Block];
  const facts = parseFacts(created.lines[0] ?? '');
  if (facts === undefined) throw new TerminalFault('failed', 'launch', sessionName, 'tmux did not report the new pane');
  const identity = { ...facts.identity, tag };
  const access = createPaneAccess(session, identity);
  const deadline = performance.now() + (watch.forMs ?? EARLY_END_MS);
  const seen = await watchStart(access, deadline, asked);
  if (seen === 'ended') throw await earlyEnd(access, identity, sessionName);
  // The agent's session has begun, so `launch` returns now and watches in the background whether the program exits soon
  // afterwards.
  if (seen === 'begun') void tellEarlyEnd(access, deadline, watch.onEarlyEnd);
  return identity;
}

async function watchStart(
  access: PaneAccess,
  deadline: number,
  { hasBegun = () => false, awaitNews }: Pick<LaunchRequest, 'hasBegun' | 'awaitNews'> = {},
): Promise<'begun' | 'ended' | 'runs'> {
  const pace = createPace(4, LOOK_EVERY_MS);
  while (performance.now() < deadline) {
    if (await becomesSoWithin(pace(), hasBegun, awaitNews)) return 'begun';
    if (!(await access.look()).here) return 'ended';
  }
  return 'runs';
}

async function tellEarlyEnd(access: PaneAccess, deadline: number, tell: () => void): Promise<void> {
  try {
    if ((await watchStart(access, deadline)) === 'ended') tell();
  } catch {
    // Ignore that tmux does not answer, because reconcile will notice this, and will also notice the end of the
    // program.
  }
}

async function earlyEnd(access: PaneAccess, identity: PaneIdentity, sessionName: string): Promise<TerminalFault> {
  const end = await awaitProgramEnd(access, identity, EXIT_CODE_WITHIN_MS);
  const message = 'the program ended at once';
  const detail = end === undefined ? message : endInWords(message, end);
  return new TerminalFault('failed', 'launch', sessionName, detail);
}

/**
 * How long to wait for an exit code. tmux usually knows the exit code within milliseconds, but not on a busy machine.
 */
const EXIT_CODE_WITHIN_MS = 10_000;

/** Waits for the exit code, because tmux may see that the terminal is closed before it has reaped the process. */
export async function awaitProgramEnd(
  access: PaneAccess,
  { panePid, serverPid }: PaneIdentity,
  withinMs = 0,
): Promise<ProgramEnd | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    // First check whether tmux has reaped the process, then call `programEnd`. If tmux reaps the process between the
    // two calls, `isEnding` is still true, and the loop asks for the exit code once more.
    const isEnding = await isUncollected(panePid, serverPid);
    const end = await access.programEnd();
    const isKnown = end === undefined || end.exitCode !== null || end.signal !== null;
    if (isKnown || !isEnding) return end;
    if (performance.now() >= deadline) return { ...end, isEnding };
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Finds the pane that an earlier attempt of this launch created before tmux's answer was lost. The pane has the tag of
 * this launch.
 */
async function adopt(session: TmuxSession, { sessionName, tag }: LaunchRequest): Promise<PaneIdentity> {
  const line = `list-panes -s -t =${sessionName} -F ${FACTS_FORMAT}`;
  const request: Request = { operation: 'launch', target: sessionName, line };
  const [listed] = answersOf(request, await session.askStarting(request), 1) as [Block];
  const mine = listed.lines.map(parseFacts).filter((facts) => facts?.identity.tag === tag);
  if (mine.length === 1 && mine[0] !== undefined) return mine[0].identity;
  const message = `there already is a session "${sessionName}" that this launch did not start`;
  throw new TerminalFault('failed', 'launch', sessionName, message);
}
