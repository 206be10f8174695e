import { Agent, type Candidate } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgent, getCandidates } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { awaitAgent } from '../handoffs/watch/await-agent.ts';
import { confirm } from '../maintenance/confirm.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, TICK, WARN } from '../output/ink.ts';

export interface AdoptParams {
  /** The persona for the adopted session; false means none, even if the project has a default persona. */
  readonly persona?: string | false;
  readonly yes?: boolean;
}

const ADOPTED_MS = 30_000;

export async function adoptSession(cli: Cli, session: string, { persona, yes = false }: AdoptParams): Promise<number> {
  const api = operatorClient(cli.deps);
  const candidate = await findExternalSession(api, session);
  await confirm(cli, {
    yes,
    question: `${whatWillHappen(candidate, persona)}\nAdopt it?`,
    otherwise: `Session ${candidate.session_id} was not adopted.`,
  });
  const wanted = { runtime: candidate.runtime, ...(persona === undefined ? {} : { persona: persona || null }) };
  const { id } = (await api.post(PATHS.adoptExternalSession(candidate.session_id), wanted, Agent)).data;
  await awaitAgent(api, id, ({ state }) => state !== 'starting', { timeoutMs: ADOPTED_MS, what: 'adopted' });
  return showAnswer(cli, await getAgent(api, id), (agent) => [
    [TICK, ` Adopted ${agent.label} (agent ${id}) in ${agent.project.path}`],
    ...(agent.persona === null
      ? [[WARN, ` It has no persona, so it cannot hand off yet. Give it one: baton agent give-persona ${id} SLUG`]]
      : [[`  Hand off: baton handoff ${id}`]]),
    [ink('dim', `  Release it: baton agent release ${id}`)],
  ]);
}

/** Describes the effects of an adoption. The text is printed before the operator confirms, as in the page's dialog. */
function whatWillHappen({ session_id, folder, tmux, default_persona }: Candidate, persona: string | false | undefined) {
  const given = persona === undefined ? default_persona : persona || null;
  return [
    `Session ${session_id} in ${folder ?? 'an unknown folder'}${tmux === null ? '' : ` (pane ${tmux.pane} on ${tmux.socket})`}:`,
    '  Baton will read its screen and receive its hooks.',
    given === null
      ? '  It gets no persona; Baton types nothing into it until you send a message.'
      : `  It becomes ${given}: Baton types the skill into the session when it is idle.`,
    '  At a handoff, Baton types the instruction into it and then ends it with its exit command;',
    "  the successor starts in Baton's own tmux. Your pane, its shell and the rest of your tmux do not change.",
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
      : `No session "${session}" found: Baton has not seen it, or it is already an agent.`,
    { code: 'candidate_not_found', hint: 'List the sessions: baton hooks status' },
  );
}

export async function releaseAgent(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.releaseAgent(id), {}, Agent);
  return showAnswer(cli, answer, ({ label }) => [
    [TICK, ` Released ${label} (agent ${id}); Baton types nothing more into it`],
  ]);
}
