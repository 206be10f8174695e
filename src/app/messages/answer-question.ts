import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { isBeingGiven } from '../../domain/agents/question.ts';
import { agentNotFound, refuseNoPane, refuseNotActive } from '../../domain/agents/refuse-unreachable.ts';
import type { Effect } from '../../domain/effects.ts';
import type { Fact, TypingOutcome } from '../../domain/facts.ts';
import type { MessageVerdict } from '../../domain/messages/operator-message.ts';
import { typeable } from '../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { controlledSession } from '../engine/client/client-status.ts';
import { recordFact } from '../engine/record-facts.ts';
import { errorMessage } from '../error-message.ts';
import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { AnswerRequest, PaneIdentity } from '../ports/terminal.ts';
import { questionId } from './read-question.ts';

/** The outcome of an answer, and the answer's reference in the log. */
export type GivenAnswer = MessageVerdict & { readonly ref: string };

export interface AnswerParams {
  readonly question: string;
  readonly choice?: number | undefined;
  readonly text?: string | undefined;
}

const MAX_EXCERPT = 200;

/**
 * Gives the operator's answer to an agent's question, also during a handoff. Baton records the answer before it presses
 * a key. After a crash, Baton reports what it knows and does not press the key again.
 */
export async function answerQuestion(
  ports: Ports,
  agentId: number,
  wanted: AnswerParams,
): Promise<GivenAnswer | Refusal> {
  const says = whatIsSaid(wanted);
  if (isRefusal(says)) return says;
  const ref = `answer-${ports.chance.token(12).toLowerCase()}`;
  const begun = await ports.store.write((tx) => begin(tx, ports, agentId, { ref, says, question: wanted.question }));
  if (isRefusal(begun)) return begun;
  ports.checkpoint('answer:begun');
  if (begun.verdict !== null) return { ...begun.verdict, ref };
  const outcome = await press(ports, begun, { ref, says, question: wanted.question });
  ports.log.info('answered a question of an agent', { agent: agentId, verdict: outcome.verdict });
  ports.checkpoint('answer:given');
  const verdict = await ports.store.write((tx) => {
    recordFact(tx, ports, { type: 'answer_given', agentId, ref, outcome });
    return verdictIn(tx, agentId, ref);
  });
  if (verdict === null) throw new Error(`answer ${ref} no longer exists`);
  return { ...verdict, ref };
}

/**
 * Answers a client that asks, before it exits, what to do with its background work. The handoff rules have chosen the
 * answer. If the effect is performed again after a crash, Baton does not press the key a second time.
 */
export async function answerExit(
  ports: Ports,
  effect: Extract<Effect, { kind: 'answer_exit' }>,
): Promise<readonly Fact[]> {
  const { agentId, ref, questionId: question, choice } = effect;
  // An earlier server began to give this answer and then ended. That server may have pressed the key, so do not press
  // the key again. Reconcile reports the outcome.
  if (ports.store.read((tx) => tx.agentById(agentId)?.answers.some((answer) => answer.ref === ref))) return [];
  const attempt: AnswerAttempt = { ref, question, says: { choice } };
  const begun = await ports.store.write((tx) => begin(tx, ports, agentId, attempt));
  if (isRefusal(begun) || begun.verdict !== null) return [];
  return [{ type: 'answer_given', agentId, ref, outcome: await press(ports, begun, attempt) }];
}

interface AnswerAttempt {
  readonly ref: string;
  readonly question: string;
  readonly says: AnswerRequest['says'];
}

interface Asker {
  readonly agent: Agent;
  readonly pane: PaneIdentity;
  readonly runtime: AgentRuntime;
  /**
   * The outcome of the answer, if the outcome is already certain before Baton presses a key. Null if Baton has to press
   * a key.
   */
  readonly verdict: MessageVerdict | null;
}

function whatIsSaid({ choice, text }: AnswerParams): AnswerRequest['says'] | Refusal {
  const wrong = (sentence: string): Refusal => ({ code: 'bad_request', sentence });
  if ((choice === undefined) === (text === undefined))
    return wrong('Answer either with the number of an option or with text');
  if (text === undefined) return { choice: choice ?? 0 };
  const clean = typeable(text).replace(/\t/g, ' ').trim();
  if (clean === '') return wrong('The answer is empty');
  // Refuse line breaks, because Enter submits the text field and line breaks in the field are untested.
  return clean.includes('\n') ? wrong('A text answer must be one line') : { text: clean };
}

function begin(tx: Tx, ports: Ports, agentId: number, { ref, question, says }: AnswerAttempt): Asker | Refusal {
  const agent = tx.agentById(agentId);
  if (agent === undefined) return agentNotFound(agentId);
  if (!isLive(agent)) return refuseNotActive(agent);
  if (agent.pane === null) return refuseNoPane(agent, 'answer the agent');
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime === undefined) return { code: 'runtime_unknown', sentence: `Unknown runtime "${agent.runtime}"` };
  const said = 'choice' in says ? says.choice : says.text.slice(0, MAX_EXCERPT);
  const givenBy = ports.settings.instance;
  recordFact(tx, ports, { type: 'answer_begun', agentId, ref, questionId: question, said, givenBy });
  const outcome = whyNotPressed(agent, { ref, question, says });
  if (outcome !== undefined) recordFact(tx, ports, { type: 'answer_given', agentId, ref, outcome });
  return { agent, pane: agent.pane, runtime, verdict: verdictIn(tx, agentId, ref) };
}

function whyNotPressed(agent: Agent, { question, says }: AnswerAttempt): TypingOutcome | undefined {
  const refused = (reason: string, detail: string): TypingOutcome => ({ verdict: 'refused', reason, detail });
  if (agent.answers.some(isBeingGiven)) return refused('busy', 'another answer is being entered');
  if (agent.state !== 'awaiting_input') return refused('not_asked', 'the agent asks nothing');
  if (agent.question === null)
    return refused('not_asked', "Baton has not read the agent's question from the screen yet");
  if (agent.question.id !== question) return refused('other_question', 'the agent shows another question now');
  const { options, takesText, isCut } = agent.question;
  if (isCut) return refused('terminal_only', "the agent's window is too small to show the whole question");
  if (options.length === 0 && !takesText)
    return refused('terminal_only', 'the question cannot be answered with a digit');
  if ('text' in says && !takesText) return refused('no_such_option', 'the question does not take text');
  if ('choice' in says && !options.some(({ number }) => number === says.choice))
    return refused('no_such_option', `the question has no option ${says.choice} that Baton can choose`);
  return undefined;
}

const verdictIn = (tx: Tx, agentId: number, ref: string): MessageVerdict | null =>
  tx.agentById(agentId)?.answers.find((answer) => answer.ref === ref)?.verdict ?? null;

async function press(ports: Ports, { agent, pane, runtime }: Asker, attempt: AnswerAttempt): Promise<TypingOutcome> {
  const isOpen = (): boolean => ports.store.read((tx) => verdictIn(tx, agent.id, attempt.ref)) === null;
  const { control } = runtime;
  try {
    if (control?.answer !== undefined && 'choice' in attempt.says && agent.question !== null) {
      const { text, options } = agent.question;
      const given = { question: text, choice: attempt.says.choice, labels: options.map(({ label }) => label) };
      const outcome = await control.answer(controlledSession(ports, agent), given);
      if (outcome !== undefined) return outcome;
    }
    return await ports.terminal.pressAnswer(pane, {
      id: attempt.ref,
      reader: runtime,
      isSameQuestion: (read) => questionId(ports, read) === attempt.question,
      says: attempt.says,
      stillWanted: isOpen,
    });
  } catch (error) {
    // The terminal and the control API throw an error only if they have sent nothing. So the question is still open.
    return { verdict: 'refused', reason: 'terminal_unavailable', detail: errorMessage(error) };
  }
}
