import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { agentNotFound, refuseNotActive } from '../../../domain/agents/refuse-unreachable.ts';
import { type HandoffPolicy, policyInWords } from '../../../domain/handoffs/policy/policy.ts';
import { type Persona, personaNotFound } from '../../../domain/personas/persona.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import { appendNotice } from '../../inbox/append-notice.ts';
import type { Ports } from '../../ports/index.ts';
import type { Project, Tx } from '../../ports/store.ts';

/**
 * Sets the handoff policy of one agent and its successors. Null removes this policy, so that the policy of the persona
 * or project applies again.
 */
export function setAgentPolicy(
  ports: FactPorts & Pick<Ports, 'store'>,
  agentId: number,
  policy: HandoffPolicy | null,
): Promise<Agent | Refusal> {
  return ports.store.write((tx): Agent | Refusal => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    if (!isLive(agent)) return refuseNotActive(agent);
    recordFact(tx, ports, { type: 'handoff_policy_set', agentId, policy });
    return tx.agentById(agentId) ?? agent;
  });
}

type NoticePorts = Pick<Ports, 'store' | 'secrets' | 'clock'>;

export function setPersonaPolicy(
  ports: NoticePorts,
  slug: string,
  policy: HandoffPolicy | null,
): Promise<Persona | Refusal> {
  return ports.store.write((tx): Persona | Refusal => {
    const persona = tx.personaBySlug(slug);
    if (persona === undefined) return personaNotFound(slug);
    const changed = withPolicy(persona, policy);
    tx.savePersona(changed);
    tell(tx, ports, slug, policy);
    return changed;
  });
}

export function setProjectPolicy(
  ports: NoticePorts,
  projectId: number,
  policy: HandoffPolicy | null,
): Promise<Project | Refusal> {
  return ports.store.write((tx): Project | Refusal => {
    const project = tx.projectById(projectId);
    if (project === undefined) return { code: 'project_not_found', sentence: `Project ${projectId} not found` };
    const changed = withPolicy(project, policy);
    tx.saveProject(changed);
    tell(tx, ports, project.name, policy);
    return changed;
  });
}

function withPolicy<T extends { readonly policy?: HandoffPolicy }>(before: T, policy: HandoffPolicy | null): T {
  const { policy: _, ...rest } = before;
  return (policy === null ? rest : { ...rest, policy }) as T;
}

function tell(tx: Tx, ports: NoticePorts, of: string, policy: HandoffPolicy | null): void {
  const notice = { type: 'handoff_policy_changed', of, policy: policy && policyInWords(policy) } as const;
  appendNotice(tx, ports, notice, { agentId: null, runId: null });
}
