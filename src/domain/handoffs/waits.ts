import { type Agent, isInMenu, isWithoutTerminal } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import { isOver, type Run } from './run.ts';
import type { RunContext } from './step-rule.ts';

/** A cause other than the agent's work that blocks a run, and a hint for the operator. */
export interface Waiting {
  /** The text after "Handoff run 1 waits: ". */
  readonly why: string;
  readonly hint: string;
}

/** The steps in which Baton wants to type to the outgoing agent. */
const WANTS_COMPOSER: ReadonlySet<string> = new Set(['waiting_safe_point', 'instructing', 'shutting_down']);

/** Returns undefined if the operator need not act. Questions of the agent have their own inbox item. */
export function waitsForPerson(run: Run, world: RunContext): Waiting | undefined {
  if (isOver(run) || !WANTS_COMPOSER.has(run.step)) return undefined;
  const { agent } = world;
  const who = agentLabel(agent, world.identity.persona.name);
  const attach = `baton agent attach ${agent.id}`;
  if (agent.state === 'unknown')
    return {
      why: `Baton cannot tell whether ${who} is idle: ${agent.stateReason}`,
      hint: `Look at its terminal: ${attach}`,
    };
  if (isInMenu(agent)) return { why: `${who}: ${agent.stateReason}`, hint: `Close it there: ${attach}` };
  if (agent.state === 'idle' && agent.obstacle?.kind === 'draft')
    return {
      why: `the composer of ${who} contains unsent text: ${agent.obstacle.shows}`,
      hint: `Send or delete it there: ${attach}`,
    };
  if (agent.state === 'idle' && agent.obstacle?.kind === 'view')
    return { why: `the composer of ${who} is hidden: ${agent.obstacle.shows}`, hint: `Close it there: ${attach}` };
  return undefined;
}

/** One line for people about what the run waits for now; null if the run is over or does not wait. */
export function whatRunWaitsFor(run: Run, world: RunContext, watched: Agent | null): string | null {
  if (isOver(run)) return null;
  const waiting = waitsForPerson(run, world);
  if (waiting !== undefined) return waiting.why;
  if (watched?.state === 'awaiting_input' && !isWithoutTerminal(watched))
    return `${agentLabel(watched, world.identity.persona.name)} waits for your answer: ${watched.stateReason}`;
  if (run.step === 'waiting_safe_point' && world.agent.state === 'working')
    return `${agentLabel(world.agent, world.identity.persona.name)} is working: ${world.agent.stateReason}`;
  return run.delivery?.lastRefusal ?? null;
}
