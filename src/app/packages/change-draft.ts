import type { Waiver } from '../../domain/package/lint/finding.ts';
import { type LintReport, mayBeSealed } from '../../domain/package/lint/lint-package.ts';
import { NEVER_WAIVED } from '../../domain/package/lint/rules.ts';
import { refuseWrite } from '../../domain/package/ownership.ts';
import { lineageOf } from '../../domain/package/package-chain.ts';
import { recordFields } from '../../domain/package/package-world.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { carryConditions } from './carry-conditions.ts';
import { refuseSelf } from './create-package.ts';
import { followedAnew } from './followed-package.ts';
import { type Authored, judgeAuthored, refuseFor, refuseText } from './judge-authored.ts';
import { lintInStore } from './lint-in-store.ts';
import { lookAtProject } from './look-at-project.ts';
import { type Asking, actorOf, findPackage, packageNotFound } from './package-caller.ts';
import { placeOfRevision } from './package-place.ts';
import { openGates, passGates } from './pass-gates.ts';
import { placeInWorkflow } from './place-in-workflow.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';
import { refuseSecondReturn } from './return-of.ts';
import { type SealWith, sealIn } from './seal-in-store.ts';

export interface Sealing {
  readonly epoch: number;
  /** Written anew before it is sealed. */
  readonly authored?: Authored | undefined;
}

/** Freezes a draft. An error of the lint leaves it the draft that it is. */
export async function sealDraft(
  ports: Ports,
  asking: Asking,
  id: string,
  { epoch, authored }: Sealing,
): Promise<StoredPackage | Refusal> {
  if (authored !== undefined) {
    const edited = await editDraft(ports, asking, id, { epoch, authored });
    if (isRefusal(edited)) return edited;
  }
  const before = ports.store.read((tx) => draftOf(tx, asking, id));
  if (isRefusal(before)) return before;
  const gates = ports.store.read((tx) => openGates(tx, before.place.project.id, before.stored.content));
  const looked = await lookAtProject(ports, before.place, before.stored.content, [before.parent, ...gates]);
  return ports.store.write((tx) => {
    const found = draftOf(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, parent, caller } = found;
    const part = actorOf(tx, found, ['sender']);
    if (isRefusal(part)) return part;
    // It was written anew while the disk was looked at: what was seen is about something else.
    if (stored.seq !== before.stored.seq)
      return { code: 'stale_content', sentence: `${id} has just been changed; seal it again.` } as const;
    const { actor } = part;
    const sealing = { caller, actor, epoch, looked };
    return stored.record.state === 'draft'
      ? sealAsGiven(tx, ports, { stored, parent }, sealing)
      : sealIn(tx, ports, stored, { ...sealing, report: { ...NO_REPORT, findings: stored.findings } });
  });
}

/** What is no draft is refused by the table, which says what it is. */
const NO_REPORT: LintReport = { type: undefined, typeBy: 'unknown', findings: [], waived: [], skipped: [] };

function sealAsGiven(
  tx: Tx,
  ports: Ports,
  { stored, parent }: { readonly stored: StoredPackage; readonly parent: StoredPackage | undefined },
  sealing: Omit<SealWith, 'report'>,
): StoredPackage | Refusal {
  const { caller, looked, actor, epoch } = sealing;
  const { id } = stored.record;
  const at = placeInWorkflow(tx, looked, { content: stored.content, parent, id });
  if (isRefusal(at)) return at;
  const { move, known: workflow } = at;
  const report = lintInStore(tx, ports, { content: at.content, parent, looked, waivers: stored.waivers, workflow });
  if (!mayBeSealed(report)) return refuseFor(report.findings, `${id} is not sealed and stays a draft`, 'not_sealable');
  // Asked first: a gate is passed once, and not by who may not seal.
  const passed =
    refuseWrite(stored.record, { by: actor, epoch }) ??
    refuseSecondReturn(tx, at.content) ??
    passGates(tx, ports, { caller, content: at.content, parent, move, looked });
  if (isRefusal(passed)) return passed;
  const behind = { parent: passed.parent, isReturn: report.type === 'return', projectId: stored.projectId };
  const content = carryConditions(tx, { content: at.content, ...behind });
  const lineage = passed.parent === parent ? stored.lineage : lineageOf(id, content, passed.parent);
  const changes = move === undefined && content === stored.content ? {} : { content, lineage };
  return sealIn(tx, ports, { ...stored, content, lineage }, { ...sealing, report, move, changes });
}

function draftOf(tx: Tx, asking: Asking, id: string) {
  const found = findPackage(tx, asking, id);
  if (isRefusal(found)) return found;
  const place = placeOfRevision(tx, found.caller, found.stored);
  if (place === undefined) return packageNotFound(id);
  const parentId = found.stored.lineage.parent;
  return { ...found, place, parent: parentId === null ? undefined : tx.packageById(parentId) };
}

/** A draft is its author's until it is sealed; who it is from does not change. */
async function editDraft(
  ports: Ports,
  asking: Asking,
  id: string,
  { epoch, authored }: Required<Sealing>,
): Promise<StoredPackage | Refusal> {
  if (authored === undefined) throw new Error('nothing to edit');
  const content = judgeAuthored(ports, authored);
  if (isRefusal(content)) return content;
  return ports.store.write((tx) => {
    const found = draftOf(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller } = found;
    const part = actorOf(tx, found, ['sender']);
    if (isRefusal(part)) return part;
    if (content.from.agent !== stored.record.from)
      return { code: 'forbidden', sentence: `${id} is from ${stored.record.from}, and stays so.` } as const;
    const toSelf = refuseSelf(caller, content);
    if (toSelf !== undefined) return toSelf;
    const parent = followedAnew(tx, caller, stored, content);
    if (isRefusal(parent)) return parent;
    const lineage = lineageOf(id, content, parent);
    const { type, to, gate, expiresAt } = recordFields(id, stored.record.type, content);
    return recordPackageFact(
      tx,
      ports,
      stored,
      { type: 'edited', by: part.actor, epoch },
      { agentId: caller.agentId, changes: { content, lineage }, fields: { type, to, gate, expiresAt } },
    );
  });
}

type WaiverGiven = Omit<Waiver, 'by'>;

/** P13. A person answers for an error, so that its author can seal the draft. */
export function waiveRule(
  ports: Ports,
  asking: Asking,
  id: string,
  given: WaiverGiven,
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { rule } = given;
    const unfit = refuseText(ports, { why: given.why });
    if (unfit !== undefined) return unfit;
    if (NEVER_WAIVED.has(rule))
      return { code: 'forbidden', sentence: `Nobody can answer for ${rule}: mend what it names.` } as const;
    if (found.stored.record.state !== 'draft')
      return { code: 'package_not_possible', sentence: `${id} is sealed already.` } as const;
    const { record, waivers } = found.stored;
    const changes = { waivers: [...waivers, { ...given, by: 'operator' }] };
    return notePackage(tx, ports, found.stored, { note: 'waived', agentId: null, record, changes });
  });
}
