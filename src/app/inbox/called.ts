import { parseAddressee } from '../../domain/packages/content/addressee.ts';
import type { Called } from '../../domain/packages/inbox-entries.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Returns a function that names the parties of a package in sentences for the operator. A person is "you", and an agent
 * is "agent 2". A persona is "Con (agent 2)" or, if Baton does not know its agent, "Con". If several personas are named
 * Con, the slug is added to "Con".
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
