import { HandoffAsked } from '../../../contract/policies.ts';
import { HandoffInitiated } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getCandidates } from '../client/look-up.ts';
import { agentClient, operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';

/**
 * Requests the handoff of the session in which this command runs. An agent sends the request with its own token, and
 * the handoff policy decides about it. A session that was started outside Baton has no token. Baton then adopts the
 * session and hands it off, in the operator's name.
 */
export async function askForHandoff(cli: Cli, reason: string | undefined): Promise<number> {
  if (reason === undefined)
    throw new CliFault('Say why you ask for a handoff: baton handoff --self --reason "…"', {
      code: 'usage',
      exitCode: EXIT.usage,
    });
  if (cli.deps.shell().agent === undefined) return handOffOwnSession(cli);
  const answer = await agentClient(cli.deps).post(PATHS.askForHandoff, { reason }, HandoffAsked);
  return showAnswer(cli, answer, ({ sentence }) => [[sentence]]);
}

async function handOffOwnSession(cli: Cli): Promise<number> {
  const api = operatorClient(cli.deps);
  const above = new Set(cli.deps.shell().processes.slice(1));
  const session = (await getCandidates(api)).data.find(({ alive, pid }) => alive && pid !== null && above.has(pid));
  if (session === undefined)
    throw new CliFault('This shell belongs neither to an agent nor to a session that Baton has seen.', {
      code: 'candidate_not_found',
      hint: 'Let Baton see your sessions (baton hooks install, or the Baton plugin), then start the session again in tmux. To hand off an agent from your own shell: baton handoff AGENT',
    });
  const answer = await api.post(PATHS.handOffSession(session.session_id), {}, HandoffInitiated);
  return showAnswer(cli, answer, ({ run_id }) => [
    [
      `Baton has adopted this session and hands it off (handoff ${run_id}). When the session is idle, Baton asks it for the handoff document; the successor starts in Baton's own tmux.`,
    ],
  ]);
}
