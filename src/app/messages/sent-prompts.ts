import { type Agent, shortUuid } from '../../domain/agents/agent.ts';
import type { AgentFact } from '../../domain/facts.ts';
import { isReplaceable, type PromptText } from '../../domain/messages/sent-prompt.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { indexPrompt } from '../search/index-texts.ts';

type Words = Omit<PromptText, 'outcome' | 'at'>;

/**
 * Stores a prompt text, without its secrets, before Baton types it. Returns the exact text to type. If an earlier text
 * with the same reference may have reached the agent, returns the earlier text.
 */
export function reservePromptText(ports: Pick<Ports, 'store' | 'secrets' | 'clock'>, words: Words): Promise<string> {
  return ports.store.write((tx) => reserveIn(tx, ports, words));
}

/** Stores a prompt text before it is typed, like `reservePromptText`, but inside the caller's transaction. */
export function reserveIn(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, words: Words): string {
  const known = tx.promptText(words.ref);
  const text = ports.secrets.redact(words.text);
  const holdsSecret = text !== words.text;
  // Type the caller's text if it contains a secret. The stored text cannot be typed, because its secrets are removed.
  if (known !== undefined && !isReplaceable(known) && !holdsSecret) return known.text;
  if (known === undefined || isReplaceable(known)) {
    tx.savePromptText({ ...words, text, outcome: null, at: null });
    const agent = words.purpose === 'message' ? tx.agentById(words.agentId) : undefined;
    if (agent !== undefined) indexPrompt(tx, ports, agent, { ref: words.ref, text, at: ports.clock.now() });
  }
  return words.text;
}

/**
 * Stores a skill text that Baton has prepared for the start of a session. Baton may prepare several such texts, and
 * learns only after the start which text the session got.
 */
export async function saveStartText(
  ports: Pick<Ports, 'store' | 'secrets'>,
  agent: Agent,
  name: string,
  text: string,
): Promise<void> {
  const ref = startRef(agent, name);
  if (agent.priming.status === 'done' || ports.store.read((tx) => tx.promptText(ref)) !== undefined) return;
  const kept = ports.secrets.redact(text);
  await ports.store.write((tx) =>
    tx.savePromptText({ ref, agentId: agent.id, runId: null, purpose: 'skill', text: kept, outcome: null, at: null }),
  );
}

const startRef = (agent: Agent, name: string): string => `${shortUuid(agent)}-start-${name}`;

/**
 * If the fact says whether a stored prompt text reached the agent, saves this outcome with the text. Called in the
 * transaction that logs the fact. Once the stored outcome says that the text has arrived, a later refusal does not
 * overwrite it.
 */
export function noteTextOutcome(tx: Tx, ports: Pick<Ports, 'clock'>, agent: Agent, fact: AgentFact): void {
  const told = outcomeIn(agent, fact);
  const known = told && tx.promptText(told.ref);
  if (told === undefined || known === undefined || known.agentId !== agent.id) return;
  const isLess = RANK.indexOf(told.outcome) < RANK.indexOf(known.outcome);
  if (known.outcome !== told.outcome && !isLess)
    tx.savePromptText({ ...known, outcome: told.outcome, at: ports.clock.now() });
}

const RANK: readonly PromptText['outcome'][] = [null, 'refused', 'unconfirmed', 'typed', 'given_at_start'];

function outcomeIn(
  agent: Agent,
  fact: AgentFact,
): { readonly ref: string; readonly outcome: PromptText['outcome'] } | undefined {
  if (fact.type === 'prompt_typed') return { ref: fact.ref, outcome: fact.outcome.verdict };
  if (fact.type === 'prompt_submitted' && fact.ref !== null) return { ref: fact.ref, outcome: 'typed' };
  if (fact.type === 'session_started' && fact.skillGiven !== undefined)
    return { ref: startRef(agent, fact.skillGiven), outcome: 'given_at_start' };
  return undefined;
}

/**
 * Returns all prompts of a run in order: the prompts to the outgoing agent, then the skill and the prompt for the
 * successor.
 */
export function textsOfRun(ports: Pick<Ports, 'store'>, runId: number): readonly PromptText[] | undefined {
  return ports.store.read((tx) => {
    const run = tx.runById(runId);
    if (run === undefined) return undefined;
    const { successorAgentId } = run;
    const said = tx.promptTextsOf({ runId });
    const skill = successorAgentId === null ? [] : tx.promptTextsOf({ agentId: successorAgentId }).filter(isSkillGiven);
    const injected = said.filter(({ purpose }) => purpose === 'injection');
    const record = run.handoffId === null ? undefined : tx.handoffById(run.handoffId);
    const planned =
      injected.length === 0 && successorAgentId !== null && record?.injectionPrompt
        ? [asRecorded(tx, { runId, agentId: successorAgentId, text: record.injectionPrompt })]
        : [];
    return [...said.filter(({ purpose }) => purpose !== 'injection'), ...skill, ...injected, ...planned];
  });
}

/**
 * True for a skill text that the agent really got. For the start of a session, Baton may prepare several skill texts,
 * but the session gets at most one of them. For the other texts, returns false.
 */
const isSkillGiven = ({ purpose, ref, outcome }: PromptText): boolean =>
  purpose === 'skill' && (outcome === 'given_at_start' || !ref.includes('-start-'));

/**
 * Reads the successor's prompt from the handoff record, and the outcome of this prompt from the log. This is needed if
 * Baton has not typed the prompt yet, or if an older version of Baton typed the prompt without storing its text.
 */
function asRecorded(tx: Tx, { agentId, ...rest }: Pick<PromptText, 'runId' | 'agentId' | 'text'>): PromptText {
  const told = tx.latestEventsOf(agentId, ['prompt_typed'], 100).findLast(({ data }) => data.purpose === 'injection');
  const verdict = (told?.data.outcome as { verdict?: PromptText['outcome'] } | undefined)?.verdict ?? null;
  return { ...rest, ref: '', agentId, purpose: 'injection', outcome: verdict, at: told?.at ?? null };
}
