import { Agent, type Candidate } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgent, getCandidates } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { awaitAgent } from '../handoffs/watch/await-agent.ts';
import { isConfirmed } from '../maintenance/is-confirmed.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, TICK, WARN } from '../output/ink.ts';

export interface AdoptParams {
  /** false: no persona, whatever the project's default is. */
  readonly persona?: string | false;
  readonly yes?: boolean;
}

const ADOPTED_MS = 30_000;

export async function adoptSession(cli: Cli, session: string, { persona, yes }: AdoptParams): Promise<number> {
  const api = operatorClient(cli.deps);
  const candidate = await findExternalSession(api, session);
  if (!yes && !(await isConfirmed(cli, `${whatWillHappen(candidate, persona)}\nAdopt it? [y/N] `)))
    throw new CliFault(`Session ${candidate.session_id} was left alone.`, { code: 'not_confirmed' });
  const wanted = { runtime: candidate.runtime, ...(persona === undefined ? {} : { persona: persona || null }) };
  const { id } = (await api.post(PATHS.adoptExternalSession(candidate.session_id), wanted, Agent)).data;
  await awaitAgent(api, id, ({ state }) => state !== 'starting', { timeoutMs: ADOPTED_MS, what: 'adopted' });
  return showAnswer(cli, await getAgent(api, id), (agent) => [
    [TICK, ` ${agent.label} (agent ${id}) is yours and Baton's now, in ${agent.project.path}`],
    ...(agent.persona === null
      ? [[WARN, ` It has no persona, so it cannot hand over yet: baton agent give-persona ${id} SLUG`]]
      : [[`  Hand over: baton handoff ${id}`]]),
    [ink('dim', `  Take it back: baton agent release ${id}`)],
  ]);
}

/** Printed before adoption, as in the page's dialog, so that nothing comes as a surprise. */
function whatWillHappen({ session_id, folder, tmux, default_persona }: Candidate, persona: string | false | undefined) {
  const worn = persona === undefined ? default_persona : persona || null;
  return [
    `Session ${session_id} in ${folder ?? 'an unknown folder'}${tmux === null ? '' : ` (pane ${tmux.pane} on ${tmux.socket})`}:`,
    '  Baton will read its screen and hear its hooks from now on.',
    worn === null
      ? '  It gets no persona, so nothing is typed into it until you send something.'
      : `  It becomes ${worn}: its skill is typed into the session as soon as it rests.`,
    '  When you ask for a handoff, Baton types the instruction into it and then ends it with its exit command;',
    "  the successor begins in Baton's own tmux. Your pane, its shell and everything else in your tmux stay as they are.",
  ].join('\n');
}

async function findExternalSession(api: ApiClient, session: string): Promise<Candidate> {
  const all = (await getCandidates(api)).data;
  const exact = all.filter(({ session_id }) => session_id === session);
  const found = exact.length > 0 ? exact : all.filter(({ session_id }) => session_id.startsWith(session));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const several = found.length > 1;
  throw new CliFault(
    several
      ? `${found.length} sessions begin with "${session}": ${found.map(({ session_id }) => session_id).join(', ')}.`
      : `No session "${session}" that you started yourself is known, or it is an agent already.`,
    { code: 'candidate_not_found', hint: 'See which there are: baton hooks status' },
  );
}

export async function releaseAgent(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.releaseAgent(id), {}, Agent);
  return showAnswer(cli, answer, ({ label }) => [
    [TICK, ` ${label} (agent ${id}) was given back to you; Baton types nothing more into it`],
  ]);
}
