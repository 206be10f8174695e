import { type ArtifactsSeen, usableHashes } from '../../domain/packages/content/artifact-seen.ts';
import { canonicalJson } from '../../domain/packages/content/canonical-json.ts';
import type { PackageInput } from '../../domain/packages/content/package.ts';
import { sealNow } from '../../domain/packages/content/seal-package.ts';
import { mayBeSealed } from '../../domain/packages/lint/lint-package.ts';
import type { PackageCaller } from '../../domain/packages/package-parties.ts';
import { sameSeal, stateWord } from '../../domain/packages/record.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { wasShown } from '../../domain/workflows/workflow-position.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { Followed } from './follow-package.ts';
import type { Looked } from './observe-project.ts';
import { insertDraft, lintInStore, sealIn } from './seal-package.ts';
import { refuseFor } from './validate-authored.ts';

export interface Passing {
  readonly caller: PackageCaller;
  readonly followed: Followed;
  readonly looked: Looked;
  /** The artifacts of the newest gate as they are now. */
  readonly gateSeen: ArtifactsSeen;
}

/**
 * Checks that a person has approved the newest gate before this package, and returns the parent of the package (SPEC
 * P21 and P29). An approval is valid as long as the artifacts of the gate are unchanged and the package contains only
 * what the person was shown. Without a valid approval, refuses the package and, if needed, stores a new gate. A
 * non-blocking gate needs no approval.
 */
export function checkGates(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'settings'>,
  { caller, followed, looked, gateSeen }: Passing,
): { readonly parent: StoredPackage | undefined } | Refusal {
  const { content, parent, asked, gates, type, held } = followed;
  if (type === 'return' || type === 'gate' || type === 'escalation') return { parent };
  if (held !== undefined) return refuseDelegation(content, held);
  const last = gates.at(-1);
  const open = (gate: PackageInput) => openGate(tx, ports, { caller, followed, looked, gate, before: last });
  if (last === undefined) {
    if (asked === undefined) return { parent };
    const opened = open(asked);
    if (isRefusal(opened)) return opened;
    return asked.gate?.type === 'non_blocking' ? { parent } : waitsForPerson(opened);
  }
  const { state, outcome, seal, id, gate } = last.record;
  if (gate?.kind === 'non_blocking') return { parent };
  if (state === 'pending' || state === 'clarifying') return waitsForPerson(last);
  if (outcome === 'approved' && seal !== null) {
    const changed = changedSince(last, gateSeen, looked.seen);
    const isShown = wasShown(last, content);
    if (changed.length === 0 && (isShown || asked === undefined))
      return { parent: asked === undefined ? parent : last };
    const opened = open(asked ?? again(last));
    if (isRefusal(opened)) return opened;
    const why =
      changed.length > 0
        ? `${changed.join(', ')} changed after the approval`
        : 'the package contains more than the person was shown';
    return {
      code: 'stale_content',
      sentence: `The package was not sealed: the approval of gate ${id} does not cover it, because ${why}. Gate ${opened.record.id} asks a person again.`,
      hint: `After ${opened.record.id} is approved, send the package again.`,
    };
  }
  if (asked === undefined)
    return {
      code: 'gate_not_passed',
      sentence: `The package was not sealed: gate ${id} is ${stateWord(state)}${last.record.cause === null ? '' : ` (${last.record.cause})`}.`,
      hint: 'Create a new gate for a person to decide.',
    };
  const unchanged = refuseUnchanged(last, content, gateSeen);
  const opened = unchanged ?? open(asked);
  return isRefusal(opened) ? opened : waitsForPerson(opened);
}

/**
 * Returns the artifacts of an approved gate that have changed since the approval. `own` contains the files that the
 * sender of the next package has at the same paths. These files are compared, too, because the sender may be another
 * agent with the name of the gate's author and may work in another worktree. A file that did not exist at the approval,
 * for example because the gate showed its deletion, has no hash in the seal. Such a file counts as changed once it
 * exists.
 */
function changedSince(
  { record: { decision }, content }: StoredPackage,
  seen: ArtifactsSeen,
  own: ArtifactsSeen,
): readonly string[] {
  if (decision === null) return [];
  const { artifacts: approved } = decision.seal;
  const there = sealNow(decision.seal, seen).artifacts;
  const here = sealNow(decision.seal, { ...seen, ...own }).artifacts;
  const exists = { ...usableHashes(seen), ...usableHashes(own) };
  const shown = (content.context.artifacts ?? []).map(({ path }) => path);
  return [...new Set([...Object.keys(approved), ...shown])].filter((path) =>
    path in approved ? there[path] !== approved[path] || here[path] !== approved[path] : path in exists,
  );
}

/**
 * Returns the content of a gate without the gate's id and time. A new package with this content opens the same gate
 * again.
 */
const again = ({ content: { id: _i, timestamp: _t, ...content } }: StoredPackage): PackageInput => content;

const waitsForPerson = ({ record, content }: StoredPackage): Refusal => ({
  code: 'gate_not_passed',
  sentence: `The package was not sealed: the gate "${content.gate?.name}" is not approved; ${record.id} waits for ${record.state === 'clarifying' ? 'your answer' : 'a person'}.`,
  hint: `After ${record.id} is approved, send the same package again; Baton notifies you of the approval. See: baton package show ${record.id}`,
});

/**
 * Refuses a delegation to the agent of the next workflow step while the gate before that step is not approved. The
 * delegation would pass the work on without the approval (SPEC P29).
 */
function refuseDelegation({ to }: PackageInput, { record, content }: StoredPackage): Refusal {
  const { id, state, cause } = record;
  const isOpen = state === 'pending' || state === 'clarifying';
  const waits = `waits for ${state === 'clarifying' ? 'your answer' : 'a person'}`;
  return {
    code: 'gate_not_passed',
    sentence: `The package was not sealed: it delegates work to ${to.agent}, a name of the agent of the next workflow step, and the gate "${content.gate?.name}" before that step is not approved: ${id} ${isOpen ? waits : `is ${stateWord(state)}${cause === null ? '' : ` (${cause})`}`}.`,
    hint: `${isOpen ? `After ${id} is approved, send the same package again.` : 'Do what the person asked for, then send the package of your workflow step again, so that Baton asks a person with a new gate.'} Until the approval, delegate only to agents that do not do the next step. See: baton package show ${id}`,
  };
}

/**
 * Refuses the package if a person has rejected its gate and the package has not changed since then, because Baton does
 * not ask a person a second time about the same content.
 */
function refuseUnchanged(last: StoredPackage, content: PackageInput, gateSeen: ArtifactsSeen): Refusal | undefined {
  const { state, seal, id, cause } = last.record;
  if (state !== 'rejected' || seal === null) return undefined;
  const isSame =
    canonicalJson(last.content.context) === canonicalJson(content.context) && sameSeal(seal, sealNow(seal, gateSeen));
  return isSame
    ? {
        code: 'gate_not_passed',
        sentence: `A person rejected gate ${id}${cause === null ? '' : ` (${cause})`}, and the package has not changed since then.`,
        hint: 'Do what the person asked for, then send the package again.',
      }
    : undefined;
}

interface Opening {
  readonly caller: PackageCaller;
  readonly followed: Followed;
  readonly looked: Looked;
  readonly gate: PackageInput;
  /** The newest earlier gate for the package's workflow step or, outside a workflow, in the package's chain. */
  readonly before: StoredPackage | undefined;
}

/** Creates a gate in the name of the sender, with the context of the sender's package. */
function openGate(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'settings'>,
  opening: Opening,
): StoredPackage | Refusal {
  const { caller, followed, looked, gate, before } = opening;
  const parent = before ?? followed.parent;
  const { findings, ...report } = lintInStore(
    tx,
    ports,
    { content: gate, type: 'gate', before: parent, open: [], workflow: null },
    looked,
  );
  if (!mayBeSealed({ ...report, findings }))
    return refuseFor(findings, 'The gate that follows this step was not opened', 'not_sealable');
  const draft = insertDraft(tx, ports, { caller, content: gate, type: 'gate', parent, place: looked.place });
  return sealIn(tx, ports, draft, { caller, actor: 'sender', looked, findings, type: 'gate' });
}
