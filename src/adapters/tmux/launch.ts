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
import { createPaneAccess, type PaneAccess } from './typing/pane-access.ts';

/** A program that cannot be executed ends within milliseconds, but only after tmux has answered. */
const EARLY_END_MS = 120;
const LOOK_EVERY_MS = 20;

/** tmux runs a single word in a shell, but executes two or more words directly. */
function directly(argv: readonly string[]): readonly string[] {
  const [only] = argv;
  return argv.length === 1 && only !== undefined ? ['sh', '-c', 'exec "$0"', only] : argv;
}

/**
 * Creates and tags the pane in one line, so that a crash cannot leave an untagged pane, and a program cannot end before
 * its pane is set to stay.
 */
function launchLine({ sessionName, tag, argv }: LaunchRequest): string {
  const words = directly(argv).map(quote).join(' ');
  const size = `-x ${PANE_COLUMNS} -y ${PANE_ROWS}`;
  const create = `new-session -d -s ${sessionName} ${size} -P -F ${FACTS_FORMAT} -- ${words}`;
  const set = `set-option -p -t =${sessionName}:`;
  // The format is empty, because tmux's own note about the end would push a line off a full-screen program. `-q` is
  // needed, because tmux 3.2 lacks the option.
  const stay = `${set} remain-on-exit on ; ${set} -q remain-on-exit-format ''`;
  return `${create} ; ${set} @baton_tag ${tag} ; ${stay}`;
}

export async function launch(
  session: TmuxSession,
  asked: LaunchRequest,
  watchForMs = EARLY_END_MS,
): Promise<PaneIdentity> {
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
  await watchEarlyEnd(session, asked, identity, watchForMs);
  return identity;
}

async function watchEarlyEnd(
  session: TmuxSession,
  asked: LaunchRequest,
  identity: PaneIdentity,
  forMs: number,
): Promise<void> {
  const access = createPaneAccess(session, identity);
  const deadline = performance.now() + forMs;
  while (performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    if ((await access.look()).here) continue;
    const end = await awaitProgramEnd(access, identity, EXIT_CODE_WITHIN_MS);
    const message = 'the program ended at once';
    const detail = end === undefined ? message : endInWords(message, end);
    throw new TerminalFault('failed', 'launch', asked.sessionName, detail);
  }
}

/** How long to wait for an exit code. tmux usually has it within milliseconds, but not on a busy machine. */
const EXIT_CODE_WITHIN_MS = 10_000;

/** Waits for the exit code, because tmux may see that the terminal is closed before it has reaped the process. */
export async function awaitProgramEnd(
  access: PaneAccess,
  { panePid, serverPid }: PaneIdentity,
  withinMs = 0,
): Promise<ProgramEnd | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    // Check this first, because if tmux reaps the process in between, `programEnd` knows its exit code.
    const isEnding = await isUncollected(panePid, serverPid);
    const end = await access.programEnd();
    const isKnown = end === undefined || end.exitCode !== null || end.signal !== null;
    if (isKnown || !isEnding) return end;
    if (performance.now() >= deadline) return { ...end, isEnding };
    await sleep(LOOK_EVERY_MS);
  }
}

/** Finds the pane of an earlier attempt at this launch, whose answer was lost. The pane has the tag of this launch. */
async function adopt(session: TmuxSession, { sessionName, tag }: LaunchRequest): Promise<PaneIdentity> {
  const line = `list-panes -s -t =${sessionName} -F ${FACTS_FORMAT}`;
  const request: Request = { operation: 'launch', target: sessionName, line };
  const [listed] = answersOf(request, await session.askStarting(request), 1) as [Block];
  const mine = listed.lines.map(parseFacts).filter((facts) => facts?.identity.tag === tag);
  if (mine.length === 1 && mine[0] !== undefined) return mine[0].identity;
  const message = `there already is a session "${sessionName}" that this launch did not start`;
  throw new TerminalFault('failed', 'launch', sessionName, message);
}
