import { type Agent, isInMenu, isWithoutTerminal } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import { endedUnacknowledged, restsWithout } from './actions.ts';
import { isWorthless } from './document/finding.ts';
import { isOver, type Run } from './run.ts';
import type { RunContext } from './step-rule.ts';

/**
 * The reason why a run cannot continue at the moment, with a hint for the operator. A run that only waits for a working
 * agent has no such reason.
 */
export interface Waiting {
  /** The text that follows "Handoff run 1 waits: " in a sentence. */
  readonly why: string;
  readonly hint: string;
}

/** The steps in which Baton wants to type to the outgoing agent. */
const WANTS_COMPOSER: ReadonlySet<string> = new Set(['waiting_safe_point', 'instructing', 'shutting_down']);

/**
 * Returns the reason why the run waits for the operator. Returns undefined if the operator need not act. Questions of
 * the agent are not included, because they have their own inbox item.
 */
export function waitsForPerson(run: Run, world: RunContext): Waiting | undefined {
  if (isOver(run) || !WANTS_COMPOSER.has(run.step)) return undefined;
  const { agent } = world;
  const who = agentLabel(agent, world.identity.persona.name);
  const attach = `baton agent attach ${agent.id}`;
  if (agent.state === 'unknown')
    return {
      why: `Baton cannot tell whether ${who} is idle: ${agent.stateReason}`,
      hint: `Look at the agent's terminal: ${attach}`,
    };
  if (isInMenu(agent))
    return { why: `${who}: ${agent.stateReason}`, hint: `Close the menu in the agent's terminal: ${attach}` };
  if (agent.state === 'idle' && agent.obstacle?.kind === 'draft')
    return {
      why: `the composer of ${who} contains unsent text: ${agent.obstacle.shows}`,
      hint: `Send or delete the text in the agent's terminal: ${attach}`,
    };
  if (agent.state === 'idle' && agent.obstacle?.kind === 'view')
    return {
      why: `the composer of ${who} is hidden: ${agent.obstacle.shows}`,
      hint: `Close what hides the composer in the agent's terminal: ${attach}`,
    };
  return undefined;
}

/** Returns one line for people that says what the run waits for now; null if the run has ended or waits for nothing. */
export function whatRunWaitsFor(run: Run, world: RunContext, watched: Agent | null): string | null {
  if (isOver(run)) return null;
  const waiting = waitsForPerson(run, world);
  if (waiting !== undefined) return waiting.why;
  if (watched?.state === 'awaiting_input' && !isWithoutTerminal(watched))
    return `${agentLabel(watched, world.identity.persona.name)} waits for your answer: ${watched.stateReason} (show and answer the question: baton agent answer ${watched.id})`;
  if (run.step === 'waiting_safe_point' && world.agent.state === 'working')
    return `${agentLabel(world.agent, world.identity.persona.name)} is working: ${world.agent.stateReason}`;
  if (restsWithout(run, world))
    return `${agentLabel(world.agent, world.identity.persona.name)} is idle, but Baton has neither the handoff document nor a report that the agent's turn ended`;
  if (endedUnacknowledged(run, world) && watched !== null)
    return `${agentLabel(watched, world.identity.persona.name)} ended its turn without acknowledging the handoff`;
  if (run.step === 'recorded' && run.review === 'wanted' && isWorthless(run.findings))
    return `the document needs your approval: ${run.findings.map(({ sentence }) => sentence).join(' ')}`;
  return run.delivery?.lastRefusal ?? null;
}
