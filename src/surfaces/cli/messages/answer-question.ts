import { MessageVerdict } from '../../../contract/requests.ts';
import type { Question } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgent } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { ink, type Part } from '../output/ink.ts';
import { showAnswer } from './show-answer.ts';
import { showVerdict } from './show-verdict.ts';

export interface AnswerOptions {
  readonly choice?: number;
  readonly text?: string;
  readonly question?: string;
}

export async function answerQuestion(cli: Cli, id: number, { question, ...says }: AnswerOptions): Promise<number> {
  const api = operatorClient(cli.deps);
  if (says.choice !== undefined && says.text !== undefined)
    throw new CliFault('Use either --choice or --text.', { code: 'usage', exitCode: EXIT.usage });
  if (says.choice === undefined && says.text === undefined) return showQuestion(cli, api, id);
  const asked = question ?? (await questionOf(api, id)).id;
  return showVerdict(cli, await api.post(PATHS.answer(id), { question: asked, ...says }, MessageVerdict));
}

async function questionOf(api: ApiClient, id: number): Promise<Question> {
  const { data: agent } = await getAgent(api, id);
  if (agent.question !== null) return agent.question;
  const sentence =
    agent.state === 'awaiting_input'
      ? `Baton cannot read the question of agent ${id} from its screen (${agent.state_reason}).`
      : `Agent ${id} has no open question: it is ${agent.state} (${agent.state_reason}).`;
  throw new CliFault(sentence, { code: 'not_asked', hint: `Show the agent's screen: baton agent screen ${id}` });
}

async function showQuestion(cli: Cli, api: ApiClient, id: number): Promise<number> {
  const asked = await questionOf(api, id);
  return showAnswer(cli, { body: asked, data: asked }, lines);
}

function lines({ id: questionId, text, options, how_to_answer }: Question): Part[][] {
  return [
    ...text.split('\n').map((line) => [ink('bold', line)]),
    ...options.map(({ number, label }) => [`  ${number}. ${label}`]),
    [ink('dim', `question ${questionId}`)],
    [how_to_answer],
  ];
}
