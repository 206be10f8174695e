import { parseAddressee } from '../../domain/packages/content/addressee.ts';
import type { Called } from '../../domain/packages/inbox-entries.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Returns a function that names the parties of a package in sentences for the operator. A person is "you". An agent is
 * "agent 2" or, with a persona, "Con (agent 2)". If several personas have the same name, the slug is added.
 */
export function calledIn(tx: Pick<Tx, 'personas'>, { record, senderAgentId, receiverAgentId }: StoredPackage): Called {
  return (name) => {
    const party = parseAddressee(name);
    if (party.kind === 'person') return 'you';
    if (party.kind === 'agent') return `agent ${party.agentId}`;
    const personas = tx.personas();
    const persona = personas.find(({ slug }) => slug === name);
    if (persona === undefined) return name;
    const agentId = name === record.from ? senderAgentId : name === record.to ? receiverAgentId : null;
    if (agentId !== null) return `${persona.name} (agent ${agentId})`;
    const isOnly = personas.filter((each) => each.name === persona.name).length === 1;
    return isOnly ? persona.name : `${persona.name} (${name})`;
  };
}
