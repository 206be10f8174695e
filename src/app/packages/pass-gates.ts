import { canonicalJson } from '../../domain/package/canonical-json.ts';
import { mayBeSealed } from '../../domain/package/lint/lint-package.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import type { PackageCaller } from '../../domain/package/package-parties.ts';
import { sameSeal } from '../../domain/package/record.ts';
import { sealNow } from '../../domain/package/seal-package.ts';
import { type StoredPackage, tellsOfRun } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { gateBefore, isGateOf, type Standing } from '../../domain/workflow/standing.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { insertDraft } from './insert-draft.ts';
import { refuseFor } from './judge-authored.ts';
import { lintInStore } from './lint-in-store.ts';
import type { Looked } from './look-at-project.ts';
import { refuseForRun } from './package-caller.ts';
import { recordPackageFact } from './record-package-fact.ts';
import { sealIn } from './seal-in-store.ts';

/** A package that is about to be sealed, and what may stand before it. */
export interface Passing {
  readonly caller: PackageCaller;
  readonly content: PackageInput;
  readonly parent: StoredPackage | undefined;
  readonly move: Standing | undefined;
  readonly looked: Looked;
}

/** Gates of this sender whose approval the next package may need: their artifacts are looked at with its own. */
export const openGates = (tx: Tx, projectId: number, { from }: PackageInput): readonly StoredPackage[] =>
  tx.packagesMarked('approved', { projectId, name: from.agent }, MOST_GATES, 'newest');

const MOST_GATES = 200;

/**
 * P21 and P29. What the package follows: behind a gate, that gate. Asked before anything of the package is kept; what happens to
 * a gate here (it opens, or opens again) is kept although the package is refused.
 */
export function passGates(
  tx: Tx,
  ports: Ports,
  passing: Passing,
): { readonly parent: StoredPackage | undefined } | Refusal {
  const { caller, content, parent, move, looked } = passing;
  const refusal = refuseSuperseding(tx, content, caller);
  if (refusal !== undefined) return refusal;
  const gate = move === undefined ? undefined : gateBefore(content, move);
  if (move === undefined || gate?.gate === undefined) return passGate(tx, ports, parent, looked) ?? { parent };
  const known = gatesOf(tx, passing, move);
  const open = known.findLast(({ record }) => OPEN.includes(record.state));
  if (gate.gate.type === 'non_blocking') {
    const asked = open ?? known.findLast(({ record }) => record.state === 'completed');
    const opened = asked ?? openGate(tx, ports, passing, gate);
    return isRefusal(opened) ? opened : { parent };
  }
  if (open?.record.state === 'accepted') return passGate(tx, ports, open, looked) ?? { parent: open };
  const opened = open ?? refuseUnchanged(known, passing) ?? openGate(tx, ports, passing, gate);
  return isRefusal(opened) ? opened : waitsForPerson(opened, gate.gate.name);
}

const OPEN: readonly string[] = ['awaiting_human', 'clarifying', 'accepted'];

/** The gates of this step in this chain, oldest first. Before the first package of a chain a gate is its root. */
function gatesOf(tx: Tx, { content, parent, looked }: Passing, move: Standing): readonly StoredPackage[] {
  const isOfChain = ({ lineage }: StoredPackage): boolean =>
    parent === undefined ? lineage.parent === null : lineage.root === parent.lineage.root;
  const where = parent === undefined ? { projectId: looked.project.id } : { root: parent.lineage.root };
  return tx
    .packages({ ...where, party: [content.from.agent], type: 'gate' })
    .filter((each) => isGateOf(each, move, content) && isOfChain(each));
}

const waitsForPerson = ({ record }: StoredPackage, name: string): Refusal => ({
  code: 'gate_not_passed',
  sentence: `It is not sealed: the gate "${name}" behind this step is not approved; ${record.id} waits for ${record.state === 'clarifying' ? 'your answer' : 'a person'}.`,
  hint: `See: baton package show ${record.id}. Once it is approved, send the package again.`,
});

/** Whoever was told no does not ask the same again. */
function refuseUnchanged(known: readonly StoredPackage[], { content, looked }: Passing): Refusal | undefined {
  const last = known.findLast(({ record }) => record.state === 'rejected');
  if (last === undefined || last.record.seal === null) return undefined;
  const isSame =
    canonicalJson(last.content.context) === canonicalJson(content.context) &&
    sameSeal(last.record.seal, sealNow(last.record.seal, looked.seen));
  return isSame
    ? {
        code: 'gate_not_passed',
        sentence: `Gate ${last.record.id} was rejected, and nothing has changed since: ${last.record.cause ?? ''}`,
        hint: 'Do what was asked for, then send the package again.',
      }
    : undefined;
}

/** The host asks in the sender's name, with what the sender would pass on. */
function openGate(tx: Tx, ports: Ports, passing: Passing, gate: PackageInput): StoredPackage | Refusal {
  const { caller, parent, looked } = passing;
  const report = lintInStore(tx, ports, { content: gate, parent, looked, waivers: [], workflow: null });
  if (!mayBeSealed(report))
    return refuseFor(report.findings, 'The gate behind this step cannot be opened', 'not_sealable');
  const { place } = looked;
  const draft = insertDraft(tx, ports, { caller, content: gate, type: 'gate', parent, place });
  return sealIn(tx, ports, draft, { caller, actor: 'sender', epoch: 1, looked, report });
}

/**
 * P21. The next step begins behind a gate: only if it was approved, and what was approved is still what is there. Otherwise
 * the gate opens again, which is kept although the package is refused.
 */
function passGate(tx: Tx, ports: Ports, parent: StoredPackage | undefined, looked: Looked): Refusal | undefined {
  if (parent === undefined || parent.record.gate === null || parent.record.seal === null) return undefined;
  const { id, state, gate, seal } = parent.record;
  if (state === 'completed' || (gate.kind === 'non_blocking' && state === 'awaiting_human')) return undefined;
  if (state !== 'accepted')
    return { code: 'package_not_possible', sentence: `Gate ${id} is ${state}: nothing goes on behind it.` };
  const passed = recordPackageFact(tx, ports, parent, {
    type: 'gate_passed',
    seal: sealNow(seal, looked.gates[id] ?? {}),
  });
  if (isRefusal(passed)) return passed;
  return passed.record.state === 'completed' ? undefined : approvalGone(id);
}

export const approvalGone = (id: string): Refusal => ({
  code: 'stale_content',
  sentence: `The approval of gate ${id} is about something else: its artifacts have changed since. It waits for a person again.`,
});

function refuseSuperseding(tx: Tx, { lineage, from }: PackageInput, { kind }: PackageCaller): Refusal | undefined {
  const old = lineage?.supersedes === undefined ? undefined : tx.packageById(lineage.supersedes);
  // P26. Not even a person: the run would go on, and its package would not.
  if (old !== undefined && tellsOfRun(old)) return refuseForRun(old);
  if (old === undefined || kind === 'operator' || old.record.from === from.agent) return undefined;
  return { code: 'forbidden', sentence: `Only its sender can supersede ${old.record.id}.` };
}
