import type { Agent } from '../../domain/agents/agent.ts';
import { isLive } from '../../domain/agents/agent.ts';
import { agentLabel } from '../../domain/agents/apply-fact.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import { agentName, parseAddressee } from '../../domain/packages/content/addressee.ts';
import { HUMAN, ORCHESTRATOR } from '../../domain/packages/content/package.ts';
import type { Actor } from '../../domain/packages/package-facts.ts';
import { isParty, type PackageCaller, partIn } from '../../domain/packages/package-parties.ts';
import { isHandoffPackage, type StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';

/** The caller, identified by its token and the channel of its request. */
export type Asking =
  | {
      readonly kind: 'operator';
      readonly channel: 'page' | 'cli';
      /** The machine of the fleet from which the operator acts; undefined on this machine. */
      readonly machine?: string | undefined;
    }
  | { readonly kind: 'agent'; readonly agentId: number };

/**
 * Returns the names by which an agent can be addressed: the slug of its persona, its role, and its number. As in
 * specification 004, a role addresses any agent with this role, but a number addresses only one conversation.
 */
export function namesOf(tx: Tx, agent: Agent): readonly string[] {
  const persona = personaOf(tx, agent);
  return [...(persona === undefined ? [] : [persona.slug, ...roleNames(persona)]), ...numbersOf(tx, agent)];
}

const personaOf = (tx: Tx, { personaId }: Agent): Persona | undefined =>
  personaId === null ? undefined : tx.personaById(personaId);

/**
 * Returns the names by which packages can address the role of a persona. The only such name is the role itself. If the
 * role is a reserved name (a person, `next`, `agent-N`), the list is empty.
 */
export const roleNames = ({ role }: Persona): readonly string[] =>
  parseAddressee(role).kind === 'persona' ? [role] : [];

/**
 * Returns the live agents of the project and the active personas that this name addresses, each as the list of all its
 * names.
 */
export const addressedBy = (tx: Tx, projectId: number, name: string): readonly (readonly string[])[] =>
  [
    ...tx
      .personas()
      .filter(({ status }) => status === 'active')
      .map((persona) => [persona.slug, ...roleNames(persona)]),
    ...tx
      .liveAgents()
      .filter((agent) => agent.projectId === projectId)
      .map((agent) => namesOf(tx, agent)),
  ].filter((names) => names.includes(name));

/**
 * Returns the numbers that address the agent's conversation: the agent's own number and, if the agent resumes the
 * conversation of earlier agents, also the numbers of those agents.
 */
export function numbersOf(tx: Tx, agent: Agent): readonly string[] {
  const numbers: string[] = [];
  for (let each: Agent | undefined = agent; each !== undefined; ) {
    numbers.push(agentName(each.id));
    const before: number | null = each.resumesSession === null ? null : each.previousAgentId;
    each = before === null ? undefined : tx.agentById(before);
  }
  return numbers;
}

export function callerOf(tx: Tx, asking: Asking): PackageCaller | Refusal {
  if (asking.kind === 'operator')
    return {
      kind: 'operator',
      names: [HUMAN, ORCHESTRATOR],
      agentId: null,
      session: '',
      persona: null,
      projectId: null,
    };
  const agent = tx.agentById(asking.agentId);
  if (agent === undefined) return agentNotFound(asking.agentId);
  // Refuse an agent that has ended: the process of such an agent may still have the token, although another agent has
  // taken over its work.
  if (!isLive(agent))
    return { code: 'agent_not_active', sentence: `Agent ${agent.id} has ended, so it cannot act on packages.` };
  return callerAs(tx, agent);
}

/** Returns this agent as a caller of package functions. Does not check whether the agent is live. */
export function callerAs(tx: Tx, agent: Agent): PackageCaller {
  const names = namesOf(tx, agent);
  const persona = personaOf(tx, agent)?.slug ?? null;
  const { id: agentId, sessionUuid: session, projectId } = agent;
  return { kind: 'agent', names, agentId, session, persona, projectId };
}

export const packageNotFound = (id: string): Refusal => ({
  code: 'package_not_found',
  sentence: `There is no package ${id} that you can see.`,
});

export interface Found {
  readonly caller: PackageCaller;
  readonly stored: StoredPackage;
}

/**
 * Finds a package for a caller. If the caller must not see the package, answers "not found". So the caller does not
 * learn that the package exists. An agent sees only packages of its own project, because agents of several projects can
 * have the same persona or role.
 */
export function findPackage(tx: Tx, asking: Asking, id: string): Found | Refusal {
  const caller = callerOf(tx, asking);
  if (isRefusal(caller)) return caller;
  const stored = tx.packageById(id);
  if (stored === undefined || (caller.kind === 'agent' && stored.projectId !== caller.projectId))
    return packageNotFound(id);
  const inChain = () => tx.packages({ root: stored.lineage.root }).some((each) => isParty(each, caller));
  const isSent = stored.record.state !== 'draft';
  return isParty(stored, caller) || (isSent && inChain()) ? { caller, stored } : packageNotFound(id);
}

/**
 * Returns the role in which the caller acts: sender or receiver. Refuses if the caller has none of the roles in
 * `parts`.
 */
export function actorOf(
  tx: Tx,
  { caller, stored }: Found,
  parts: readonly ('sender' | 'receiver')[],
): { readonly actor: Actor } | Refusal {
  if (isHandoffPackage(stored)) return refuseForRun(stored);
  const isAlive = (agentId: number): boolean => {
    const agent = tx.agentById(agentId);
    return agent !== undefined && isLive(agent);
  };
  const actor = partIn(stored, caller, parts, isAlive);
  if (actor !== undefined) return { actor };
  const { id, from, to } = stored.record;
  // Check whether another live agent with the caller's name is the sender or receiver of the package. If so, the
  // refusal names that agent.
  const bound = parts
    .filter((part) => caller.names.includes(part === 'sender' ? from : to))
    .map((part) => (part === 'sender' ? stored.senderAgentId : stored.receiverAgentId))
    .find((agentId) => agentId !== null && agentId !== caller.agentId && isAlive(agentId));
  const holder = bound == null ? undefined : tx.agentById(bound);
  if (holder !== undefined)
    return {
      code: 'forbidden',
      sentence: `${agentLabel(holder, personaOf(tx, holder)?.name ?? null)} has the same name as you and already handles package ${id}, so you cannot perform this action on the package.`,
    };
  const who = parts.map((part) => `${part} ${part === 'sender' ? from : to}`).join(' or ');
  return {
    code: 'forbidden',
    sentence: `You are ${caller.names.join(', ')}, but only the ${who} can perform this action on ${id}.`,
  };
}

/** The refusal of a request to change the package of a handoff run (SPEC P26). */
export const refuseForRun = ({ record, runId }: StoredPackage): Refusal => ({
  code: 'package_not_possible',
  sentence: `${record.id} is Baton's own package for handoff ${runId} and cannot be changed directly.`,
  hint: `See: baton handoff show ${runId}. The successor acknowledges the handoff with: baton ack`,
});
