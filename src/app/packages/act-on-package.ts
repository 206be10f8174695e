import { overRefusal } from '../../domain/packages/advance-package.ts';
import { agentName } from '../../domain/packages/content/addressee.ts';
import { withInherited } from '../../domain/packages/content/lineage.ts';
import type { CriterionResult, PackageInput } from '../../domain/packages/content/package.ts';
import { sealName, sealNow, sealOf } from '../../domain/packages/content/seal-package.ts';
import { mayBeSealed } from '../../domain/packages/lint/lint-package.ts';
import { isPlaceholder } from '../../domain/packages/lint/placeholder.ts';
import type { Actor, DeclineCode, PackageFact } from '../../domain/packages/package-facts.ts';
import { isParty } from '../../domain/packages/package-parties.ts';
import { type GateDecision, isForPerson, isTerminal, recordFields, sameSeal } from '../../domain/packages/record.ts';
import type { GivenAnswer, StoredPackage } from '../../domain/packages/stored-package.ts';
import { theTool } from '../../domain/packages/tools.ts';
import { normalized, type WrittenAcknowledgment } from '../../domain/packages/validate-acknowledgment.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { checkResults } from './check-results.ts';
import { observeProject } from './observe-project.ts';
import { type Asking, actorOf, type Found, findPackage } from './package-caller.ts';
import { placeOfCaller, placeOfRevision } from './package-folder.ts';
import { observeArtifacts, reportOn } from './receive-package.ts';
import { recordPackageFact, type WithFact } from './record-package-fact.ts';
import { lintInStore, nextRevision } from './seal-package.ts';
import { type Authored, refuseFor, refuseText, validateAuthored } from './validate-authored.ts';

/**
 * Records the receiver's summary of the task (SPEC P17). The transition table decides whether this summary is enough to
 * accept the package. If the receiver acknowledges the package again, the later summary does not count.
 */
export async function acknowledgePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  said: WrittenAcknowledgment & { readonly from?: string | undefined; readonly action?: string | undefined },
): Promise<StoredPackage | Refusal> {
  const seen = await observeArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return act(ports, asking, id, { by: ['receiver'], words: { ...said } }, (_tx, { stored, caller }, by) => {
    const { record } = stored;
    // A return package was completed when the receiver read it, so an acknowledgment changes nothing.
    if (record.type === 'return' && record.state === 'completed') return 'done';
    const refusal = refuseSaid(stored, said);
    if (refusal !== undefined) return refusal;
    return {
      fact: { type: 'acknowledged', by, acknowledgement: normalized(said) },
      report: reportOn(ports, stored, seen),
      ...(record.state === 'pending' && stored.receiverAgentId !== caller.agentId
        ? { changes: { receiverAgentId: caller.agentId } }
        : {}),
    };
  });
}

function refuseSaid(
  { record, readRevision }: StoredPackage,
  { from, action }: { readonly from?: string | undefined; readonly action?: string | undefined },
): Refusal | undefined {
  if (record.state === 'pending' && !isForPerson(record) && readRevision !== record.revision)
    return {
      code: 'package_not_possible',
      sentence: `${record.id} ${readRevision ? 'has changed since it was read' : 'was not read yet'}, so it cannot be acknowledged.`,
      hint: `Read the package first with ${theTool('handoff_receive')}, or by command: baton package receive ${record.id}`,
    };
  if (action === 'decline')
    return {
      code: 'bad_request',
      sentence: `An acknowledgment cannot decline ${record.id}, so nothing was done.`,
      hint: `Decline the package with ${theTool('handoff_decline')}, or by command: baton package decline ${record.id} --code capability --reason TEXT`,
    };
  return from === undefined || from === record.from
    ? undefined
    : {
        code: 'bad_request',
        sentence: `The acknowledgment names ${from} as the sender of ${record.id}, but its sender is ${record.from}.`,
      };
}

/** Asks the sender questions about the package (SPEC P18). Asking counts as a partial acknowledgment. */
export const askAboutPackage = (ports: Ports, asking: Asking, id: string, questions: readonly string[]) =>
  acknowledgePackage(ports, asking, id, { understood: 'partial', questions, starting: false });

export interface Declined {
  readonly code: DeclineCode;
  readonly reason?: string | undefined;
}

export const declinePackage = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
  asking: Asking,
  id: string,
  { code, reason }: Declined,
) =>
  act(ports, asking, id, { by: ['receiver'], words: { reason } }, (_tx, _found, by) => ({
    fact: { type: 'declined', by, code, ...(reason === undefined ? {} : { reason }) },
    said: reason,
  }));

export const progressPackage = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
  asking: Asking,
  id: string,
  note?: string,
) =>
  act(ports, asking, id, { by: ['receiver'], words: { note } }, (_tx, _found, by) => ({
    fact: { type: 'progressed', by },
    said: note,
  }));

export const failPackage = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
  asking: Asking,
  id: string,
  cause: string,
) =>
  act(ports, asking, id, { by: ['receiver', 'sender'], words: { cause } }, (_tx, _found, by) => ({
    fact: { type: 'failed', by: asking.kind === 'operator' ? 'operator' : by, cause },
  }));

/** A person can cancel any open package. An agent can cancel only the packages that it sent. */
export const cancelPackage = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
  asking: Asking,
  id: string,
  note?: string,
) =>
  act(ports, asking, id, { by: ['sender'], words: { note } }, (_tx, _found, by) => ({
    fact: {
      type: 'cancelled',
      by: asking.kind === 'operator' ? 'operator' : by,
      ...(note === undefined ? {} : { reason: note }),
    },
    said: note,
  }));

/** Records that the work on a package is completed. If the package is already completed, it is returned unchanged. */
export async function completePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { note, results }: { readonly note?: string | undefined; readonly results: readonly CriterionResult[] },
): Promise<StoredPackage | Refusal> {
  const unfit = refuseText(ports, { note, results });
  if (unfit !== undefined) return unfit;
  const found = ports.store.read((tx) => {
    const known = findPackage(tx, asking, id);
    return isRefusal(known) ? known : { ...known, place: placeOfCaller(tx, known.caller, known.stored.projectId) };
  });
  if (isRefusal(found)) return found;
  const checked = await checkResults(ports, found.place, found.stored, results);
  if (isRefusal(checked)) return checked;
  return act(ports, asking, id, { by: ['receiver', 'sender'], words: { note, results } }, (_tx, { stored }, by) =>
    stored.record.state === 'completed'
      ? 'done'
      : {
          fact: { type: 'completed', by, results: checked, returned: false },
          said: note,
          changes: { results: checked },
        },
  );
}

export interface Answers {
  readonly answers: readonly { readonly id: string; readonly text: string }[];
  /**
   * The rewritten content of the package. Without it, the new revision keeps the old content. Baton adds the answers in
   * both cases.
   */
  readonly authored?: Authored | undefined;
}

/**
 * The new revision stores the answers in its content under this key. So the hash of the revision also covers the
 * answers.
 */
const ANSWERS = 'baton.answers';

/** Answers all open questions in a new revision (SPEC P18). The new revision must pass the lint like the first one. */
export async function answerPackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { answers, authored }: Answers,
): Promise<StoredPackage | Refusal> {
  const written = authored === undefined ? undefined : validateAuthored(ports, authored);
  if (written !== undefined && isRefusal(written)) return written;
  const before = ports.store.read((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const place = placeOfRevision(tx, found.caller, found.stored);
    return place === undefined
      ? ({ code: 'project_not_found', sentence: `The project of ${id} is gone, so nothing was changed.` } as const)
      : { place, content: written ?? found.stored.content };
  });
  if (isRefusal(before)) return before;
  const looked = await observeProject(ports, before.place, before.content);
  return act(ports, asking, id, { by: ['sender'], words: { answers } }, (tx, { stored, caller }, by) => {
    const revised = revise(tx, stored, answers, written, by);
    if (isRefusal(revised)) return revised;
    const parent = stored.lineage.parent === null ? undefined : tx.packageById(stored.lineage.parent);
    const followed = { content: revised.content, type: stored.record.type, before: parent, open: [], workflow: null };
    const report = lintInStore(tx, ports, followed, looked, stored.waivers);
    // Ignore HP502, which requires an open delegation: the first seal of this return package has already completed the
    // delegation.
    const findings = report.findings.filter(({ rule }) => rule !== 'HP502');
    if (!mayBeSealed({ ...report, findings })) return refuseFor(findings, `${id} was not sealed again`, 'not_sealable');
    const sealed = nextRevision(tx, ports, revised, { caller, looked });
    const { gate, expiresAt } = recordFields(id, stored.record.type, revised.content);
    return {
      fact: { type: 'answered', answered: answers.map((answer) => answer.id), seal: sealOf(sealed), by },
      fields: { gate, expiresAt },
      changes: {
        content: revised.content,
        revisions: [...stored.revisions, sealed],
        answers: revised.answers,
        findings,
        worktreeId: before.place.worktree?.id ?? null,
      },
    };
  });
}

function revise(
  tx: Tx,
  stored: StoredPackage,
  answers: Answers['answers'],
  written: PackageInput | undefined,
  by: Actor,
): StoredPackage | Refusal {
  const { record, content, lineage, step } = stored;
  if (written !== undefined && (written.from.agent !== record.from || written.to.agent !== record.to))
    return {
      code: 'forbidden',
      sentence: `${record.id} goes from ${record.from} to ${record.to}; its sender and receiver cannot be changed.`,
    };
  if (written?.gate?.type === 'non_blocking' && record.gate?.kind === 'blocking')
    return {
      code: 'forbidden',
      sentence: `The gate ${record.id} is blocking, and an answer cannot make it non-blocking.`,
    };
  const refusal = refuseAnswers(stored, answers);
  if (refusal !== undefined) return refusal;
  const given = record.questions.flatMap((question): GivenAnswer[] => {
    const answer = answers.find((each) => each.id === question.id);
    return answer === undefined ? [] : [{ id: question.id, question: question.text, answer: answer.text, by }];
  });
  const all = [...stored.answers, ...given];
  const parent = lineage.parent === null ? undefined : tx.packageById(lineage.parent);
  // The new revision belongs to the same workflow step as the first one (SPEC P28).
  const kept = step === undefined ? {} : { workflow_state: content.workflow_state };
  const base = written === undefined ? content : withInherited({ ...written, ...kept }, record.type, parent);
  const shown = all.map(({ id, question, answer }) => ({ id, question, answer }));
  return { ...stored, content: { ...base, extensions: { ...base.extensions, [ANSWERS]: shown } }, answers: all };
}

/** Refuses duplicate answers and answers to unknown questions, because such answers would be lost silently. */
function refuseAnswers({ record }: StoredPackage, answers: Answers['answers']): Refusal | undefined {
  const open = record.questions.map(({ id }) => id);
  const odd = answers.find(
    ({ id }, index) => !open.includes(id) || answers.findIndex((each) => each.id === id) < index,
  );
  return odd === undefined || open.length === 0
    ? undefined
    : {
        code: 'bad_request',
        sentence: `No answer was recorded: ${open.includes(odd.id) ? `you gave two answers to ${odd.id}` : `${odd.id} is not an open question of ${record.id}`}.`,
        hint: `Give one answer to each of these questions: ${open.join(', ')}`,
      };
}

export interface Decision extends Pick<GateDecision, 'option' | 'reason' | 'choice' | 'conditions'> {
  /**
   * The numbers of the gate's items that the person approves; the first item has the number 0. Without this list, the
   * person approves all items.
   */
  readonly items?: readonly number[] | undefined;
  /** The hash that identifies the content and artifacts that the person saw. */
  readonly seen: string;
}

/**
 * Records a person's decision about the version that the person saw (SPEC P20 and P21). If an artifact has changed
 * since then, Baton records this change and the person has to decide again. Only the first valid decision counts.
 */
export async function decidePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { option, reason, choice, conditions, items, seen: name }: Decision,
): Promise<StoredPackage | Refusal> {
  const unsaid = option === 'approve' ? conditions.find(isPlaceholder) : undefined;
  if (unsaid !== undefined)
    return {
      code: 'bad_request',
      sentence: `Nothing was decided: the condition "${unsaid}" is a placeholder. Write the real condition, or leave it out.`,
    };
  const seen = await observeArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return ports.store.write((tx) => {
    const unfit = refuseText(ports, { reason, conditions, choice });
    if (unfit !== undefined) return unfit;
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller } = found;
    const { seal, state } = stored.record;
    const now = seal === null ? null : sealNow(seal, seen.artifacts);
    const hasChanged = state === 'pending' && isForPerson(stored.record) && now !== null && !sameSeal(seal, now);
    const noted = hasChanged ? recordPackageFact(tx, ports, stored, { type: 'content_seen', seal: now }) : stored;
    if (isRefusal(noted)) return noted;
    // Refuse the decision if the artifacts have changed since the person saw them. Accept the decision if the artifacts
    // changed earlier, because the person saw the changed artifacts.
    if (hasChanged && sealName(now, ports.chance.sha256) !== name) {
      const changed = Object.keys(now.artifacts).filter((path) => now.artifacts[path] !== seal?.artifacts[path]);
      const ticked = stored.record.approvedItems.length;
      const gone =
        ticked === 0
          ? ''
          : ` Your approval of ${ticked === 1 ? '1 item' : `${ticked} items`} was about the old content, so approve again.`;
      return {
        code: 'stale_content',
        sentence: `Nothing was decided: ${changed.join(', ')} changed after ${id} was shown.${gone} Read the package again before you decide.`,
      } as const;
    }
    const current = noted.record.seal;
    const shown =
      sealName(current, ports.chance.sha256) === name && current !== null ? current : { content: name, artifacts: {} };
    const channel = asking.kind === 'operator' ? asking.channel : 'agent';
    const by = asking.kind === 'operator' ? operatorName(asking) : agentName(asking.agentId);
    const decided = { type: 'decided', option, by, channel, reason, conditions, seal: shown } as const;
    const fact = {
      ...decided,
      ...(items === undefined ? {} : { items }),
      ...(choice === undefined ? {} : { choice }),
    };
    return recordPackageFact(tx, ports, noted, fact, { agentId: caller.agentId });
  });
}

/**
 * Returns the name under which Baton records the operator as the author of a decision. If the operator acted on another
 * machine of the fleet, the name contains that machine.
 */
const operatorName = ({ machine }: { readonly machine?: string | undefined }): string =>
  machine === undefined ? 'operator' : `operator on ${machine}`;

interface Acting {
  readonly by: readonly ('sender' | 'receiver')[];
  /** Text from the caller that will be stored. So the text is refused if it contains secrets. */
  readonly words: Readonly<Record<string, unknown>>;
}

type Acted = WithFact & { readonly fact: PackageFact };

/**
 * Performs one request about one package in one transaction. The function `wanted` returns the change. If the package
 * is already in the requested state, `wanted` returns 'done', and nothing changes.
 */
function act(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
  asking: Asking,
  id: string,
  { by, words }: Acting,
  wanted: (tx: Tx, found: Found, actor: Actor) => Acted | Refusal | 'done',
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const unfit = refuseText(ports, words);
    if (unfit !== undefined) return unfit;
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller } = found;
    const part = actorOf(tx, found, by);
    if (isRefusal(part))
      return isTerminal(stored.record) && isParty(stored, caller) ? overRefusal(stored.record) : part;
    const acted = wanted(tx, found, part.actor);
    if (acted === 'done') return stored;
    if (isRefusal(acted)) return acted;
    const { fact, ...more } = acted;
    return recordPackageFact(tx, ports, stored, fact, { agentId: caller.agentId, ...more });
  });
}
