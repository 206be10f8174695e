import { agentLabel } from '../../domain/agents/apply-fact.ts';
import { announcementOf, reminderFor } from '../../domain/packages/announcement.ts';
import { HUMAN, isPerson, NEXT, type PackageInput } from '../../domain/packages/content/package.ts';
import { sealOf } from '../../domain/packages/content/seal-package.ts';
import { heldUpBy, heldUpHint, heldUpSentence } from '../../domain/packages/held-up.ts';
import { isForPerson, isTerminal, recordFields, stateWord } from '../../domain/packages/record.ts';
import { isHandoffPackage, type StoredPackage } from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { isAddressee, withNames } from './background/addressees.ts';
import { observeProject } from './observe-project.ts';
import { type Asking, type Found, findPackage, namesOf, packageNotFound, refuseForRun } from './package-caller.ts';
import { placeOfPackage } from './package-folder.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';
import { nextRevision, receiverNames } from './seal-package.ts';
import { refuseText } from './validate-authored.ts';

/**
 * Requests a reminder for the agent that must act on the package (SPEC P37). Baton types the reminder, like every
 * announcement, when an agent with the addressed name is idle. If an announcement of the package still waits to be
 * typed, the request changes nothing.
 */
export function remindPackage(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  asking: Asking,
  id: string,
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored } = found;
    if (isHandoffPackage(stored)) return refuseForRun(stored);
    const wanted = reminderFor(stored);
    if (wanted === undefined) return nobodyToRemind(stored);
    const heldUp = heldUpBy(stored);
    if (heldUp !== undefined)
      return {
        code: 'package_not_possible',
        sentence: heldUpSentence(stored, heldUp),
        hint: heldUpHint(stored, heldUp),
      };
    const addressee = { projectId: stored.projectId, name: wanted.to, besides: null };
    if (!withNames(tx, tx.liveAgents()).some((each) => isAddressee(addressee, each))) return noAgent(stored, wanted.to);
    if (announcementOf(stored) !== undefined) return stored;
    const remind = { count: (stored.remind?.count ?? 0) + 1, cause: wanted.cause };
    return notePackage(tx, ports, stored, {
      note: 'reminded',
      agentId: null,
      record: stored.record,
      changes: { remind },
    });
  });
}

const nobodyToRemind = ({ record }: StoredPackage): Refusal => ({
  code: 'package_not_possible',
  sentence:
    isTerminal(record) || record.state === 'draft'
      ? `${record.id} is ${stateWord(record.state)}, so there is no agent to remind.`
      : `${record.id} waits for you and not for an agent, so there is no agent to remind.`,
});

const noAgent = ({ record, projectId }: StoredPackage, name: string): Refusal => ({
  code: 'package_not_possible',
  sentence: `No live agent has the name ${name} in the project of ${record.id}, so no agent was reminded.`,
  hint: `Start an agent: baton agent start --project ${projectId} --persona ${name}; or give the package to another agent: baton package reassign ${record.id} NAME`,
});

export interface Reassignment {
  readonly to: string;
  readonly reason?: string | undefined;
}

/**
 * Gives a package to another agent, persona or person (SPEC P37). A new revision names the new receiver; from then on,
 * the former receiver cannot act on the package.
 */
export async function reassignPackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { to, reason }: Reassignment,
): Promise<StoredPackage | Refusal> {
  const unfit = refuseText(ports, { to, reason });
  if (unfit !== undefined) return unfit;
  const before = ports.store.read((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const place = placeOfPackage(tx, found.stored);
    return refuseReassign(tx, found, to) ?? (place === undefined ? packageNotFound(id) : { place, ...found });
  });
  if (isRefusal(before)) return before;
  const looked = await observeProject(ports, before.place, before.stored.content);
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller } = found;
    const refusal = refuseReassign(tx, found, to);
    if (refusal !== undefined) return refusal;
    const content: PackageInput = {
      ...stored.content,
      to: { ...stored.content.to, agent: to, ...(reason === undefined ? {} : { reason }) },
    };
    const sealed = nextRevision(tx, ports, { ...stored, content }, { caller, looked });
    const { expiresAt } = recordFields(id, stored.record.type, content);
    return recordPackageFact(
      tx,
      ports,
      stored,
      { type: 'reassigned', from: stored.record.to, to, seal: sealOf(sealed), by: 'operator' },
      {
        said: reason,
        fields: { to, expiresAt },
        changes: { ...FOR_A_NEW_RECEIVER, content, revisions: [...stored.revisions, sealed] },
      },
    );
  });
}

const FOR_A_NEW_RECEIVER = {
  receiverAgentId: null,
  readAt: null,
  readRevision: 0,
  announced: null,
  told: null,
  remind: null,
} as const;

/**
 * Undoes the operator's cancellation of a package (SPEC P40). Baton then sends a new notification to the party that
 * must act.
 */
export function restorePackage(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
  asking: Asking,
  id: string,
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored } = found;
    const { step, lineage, record } = stored;
    if (isHandoffPackage(stored)) return refuseForRun(stored);
    const other = tx
      .packages({ root: lineage.root })
      .find((each) => each.record.id !== id && each.step?.step === step?.step && !isTerminal(each.record));
    if (step !== undefined && other !== undefined)
      return {
        code: 'package_not_possible',
        sentence: `${id} was not restored, because ${other.record.id} now does step ${step.step} of the workflow ${step.workflow}.`,
        hint: `Cancel that package first: baton package cancel ${other.record.id}`,
      };
    const changes = record.state === 'cancelled' ? FOR_A_NEW_RECEIVER : {};
    return recordPackageFact(tx, ports, stored, { type: 'restored', by: 'operator' }, { changes });
  });
}

function refuseReassign(tx: Tx, { stored }: Found, to: string): Refusal | undefined {
  const { record, projectId, step, senderAgentId } = stored;
  const { id } = record;
  const no = (sentence: string, hint?: string): Refusal => ({
    code: 'package_not_possible',
    sentence,
    ...(hint === undefined ? {} : { hint }),
  });
  if (isHandoffPackage(stored)) return refuseForRun(stored);
  if (isTerminal(record) || record.state === 'draft')
    return no(`${id} is ${stateWord(record.state)}, so it cannot be given to another receiver.`);
  if (isForPerson(record)) return no(`A person decides about ${id}, so it cannot be given to another receiver.`);
  if (step !== undefined)
    return no(
      `${id} cannot be given to another receiver: it begins step ${step.step} of the workflow ${step.workflow}, and the workflow assigns this step to ${record.to}.`,
      `Start another agent with that name, or cancel the package: baton package cancel ${id}`,
    );
  if (to === record.to) return no(`${id} already goes to ${to}.`);
  if (isPerson(record.from) && isPerson(to))
    return no(
      `${id} is your own package, so it cannot be given to you.`,
      `Cancel the package instead: baton package cancel ${id}`,
    );
  const known = [...(isPerson(record.from) ? [] : [HUMAN]), ...receiverNames(tx, projectId)];
  if (to === NEXT || !known.includes(to))
    return {
      code: 'bad_request',
      sentence: `There is no receiver "${to.slice(0, 100)}" for ${id}.`,
      hint: `Use one of: ${known.slice(0, 20).join(', ')}`,
    };
  const excluded = [senderAgentId, stored.receiverAgentId, stored.told?.agentId ?? null];
  const same = tx.liveAgents().find((agent) => excluded.includes(agent.id) && namesOf(tx, agent).includes(to));
  if (same === undefined) return undefined;
  const name = same.personaId === null ? null : (tx.personaById(same.personaId)?.name ?? null);
  return no(
    `${id} cannot be given to ${to}: ${agentLabel(same, name)} also has that name and is the ${same.id === senderAgentId ? 'sender' : 'former receiver'} of ${id}.`,
    'Name one agent by its number, such as agent-5, or another persona.',
  );
}
