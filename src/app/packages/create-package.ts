import type { Instant } from '../../domain/instant.ts';
import { overRefusal } from '../../domain/packages/advance-package.ts';
import { canonicalJson } from '../../domain/packages/content/canonical-json.ts';
import { lineageOf, withInherited } from '../../domain/packages/content/lineage.ts';
import type { CheckedResult, PackageInput } from '../../domain/packages/content/package.ts';
import type { Waiver } from '../../domain/packages/lint/finding.ts';
import { type LintReport, mayBeSealed } from '../../domain/packages/lint/lint-package.ts';
import { NEVER_WAIVED } from '../../domain/packages/lint/rules.ts';
import type { Actor } from '../../domain/packages/package-facts.ts';
import { isParty, type PackageCaller } from '../../domain/packages/package-parties.ts';
import { isTerminal, recordFields } from '../../domain/packages/record.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import { theTool } from '../../domain/packages/tools.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { WorkingDirectory } from '../worktrees/working-directory.ts';
import { checkResults } from './check-results.ts';
import { type Followed, followPackage } from './follow-package.ts';
import { checkGates, type Passing } from './gate-check.ts';
import { observeProject } from './observe-project.ts';
import { type Asking, actorOf, callerOf, findPackage } from './package-caller.ts';
import { observePackageArtifacts, placeOfCaller, placeOfPackage, placeOfRevision } from './package-folder.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';
import { insertDraft, lintInStore, sealIn } from './seal-package.ts';
import { type Authored, refuseFor, refuseText, validateAuthored } from './validate-authored.ts';

export interface PackageRequest {
  readonly authored: Authored;
  /** The project of the package if a person is the author. An agent always writes packages for its own project. */
  readonly projectId?: number | undefined;
  /** True to seal the package, false to store it as a draft. */
  readonly seal: boolean;
  readonly waivers: readonly Omit<Waiver, 'by'>[];
  /** Idempotency key. A second request with the same key, body, project and waivers returns the same package. */
  readonly key?: string | undefined;
}

/**
 * Everything that Baton observes outside the store before it validates a package: the author's folder, the workflow
 * file, the artifacts of the newest gate, and the files that prove the results.
 */
interface Scene extends Pick<Passing, 'looked' | 'gateSeen'> {
  readonly results: readonly CheckedResult[];
}

interface Placed {
  readonly caller: PackageCaller;
  readonly place: WorkingDirectory;
}

/**
 * Creates a package from its author's text, either as a draft or sealed at once. If the package cannot be sealed as
 * requested, nothing is stored.
 */
export async function createPackage(
  ports: Ports,
  asking: Asking,
  wanted: PackageRequest,
): Promise<StoredPackage | Refusal> {
  const content = validateAuthored(ports, wanted.authored);
  if (isRefusal(content)) return content;
  const { key = '', waivers } = wanted;
  const unfit = refuseText(ports, { key, waivers }) ?? refuseWaivers(ports, asking, wanted);
  if (unfit !== undefined) return unfit;
  const placed = ports.store.read((tx) => placeOf(tx, asking, content, wanted.projectId));
  if (isRefusal(placed)) return placed;
  const scene = await look(ports, placed, content);
  if (isRefusal(scene)) return scene;
  return ports.store.write((tx) => createIn(tx, ports, asking, { content, wanted, scene }));
}

/** Adds to a return package the fields that its author may omit, because they follow from the delegation. */
export function withReturnOf(ports: Pick<Ports, 'store'>, asking: Asking, id: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { lineage, ...given } = value as { readonly lineage?: object };
  const found = ports.store.read((tx) => findPackage(tx, asking, id));
  const parties = isRefusal(found)
    ? {}
    : {
        from: { agent: found.stored.record.to },
        to: { agent: found.stored.record.from, reason: `The result of ${id}` },
      };
  return { ...parties, ...given, type: 'return', lineage: { ...lineage, returns_for: id } };
}

/** Lints a package, including the checks against the disk, the chain and the workflow. Stores nothing. */
export async function lintAuthored(
  ports: Ports,
  asking: Asking,
  { authored, projectId }: Pick<PackageRequest, 'authored' | 'projectId'>,
): Promise<LintReport | Refusal> {
  const content = validateAuthored(ports, authored);
  if (isRefusal(content)) return content;
  const placed = ports.store.read((tx) => placeOf(tx, asking, content, projectId));
  if (isRefusal(placed)) return placed;
  const looked = await observeProject(ports, placed.place, content);
  return ports.store.read((tx) => {
    const followed = followPackage(tx, placed.caller, content, looked);
    return isRefusal(followed) ? followed : lintInStore(tx, ports, followed, looked);
  });
}

/**
 * Observes the working directory, the workflow, the artifacts of the newest gate, and the files that prove the results
 * of a return package.
 */
async function look(
  ports: Ports,
  { caller, place }: Placed,
  content: PackageInput,
  id?: string,
): Promise<Scene | Refusal> {
  const looked = await observeProject(ports, place, content);
  const followed = ports.store.read((tx) => followPackage(tx, caller, content, looked, id));
  if (isRefusal(followed)) return followed;
  const gate = followed.gates.at(-1);
  const gatePlace = gate === undefined ? undefined : ports.store.read((tx) => placeOfPackage(tx, gate));
  const gateSeen = gate === undefined ? {} : await observePackageArtifacts(ports, gatePlace, gate);
  const answers = followed.content.lineage?.returns_for;
  const answered = answers === undefined ? undefined : ports.store.read((tx) => tx.packageById(answers));
  const results = await checkResults(ports, place, answered, content.criteria_results ?? []);
  return isRefusal(results) ? results : { looked, gateSeen, results };
}

function refuseWaivers(
  { clock }: Pick<Ports, 'clock'>,
  { kind }: Asking,
  { waivers }: PackageRequest,
): Refusal | undefined {
  if (kind === 'agent' && waivers.length > 0)
    return { code: 'forbidden', sentence: 'Only a person can waive a rule, so send the package without waivers.' };
  return waivers.map((each) => refusePast(each, clock.now())).find((refusal) => refusal !== undefined);
}

/** Refuses a waiver whose end is in the past, because it would have no effect (SPEC P13). */
function refusePast({ rule, until }: Pick<Waiver, 'rule' | 'until'>, now: Instant): Refusal | undefined {
  return Date.parse(until) > Date.parse(now)
    ? undefined
    : {
        code: 'bad_request',
        sentence: `${rule} was not waived: the end of the waiver, ${until}, is in the past.`,
        hint: 'Name a time in the future, such as 2027-01-01T00:00:00Z.',
      };
}

function placeOf(tx: Tx, asking: Asking, content: PackageInput, projectId: number | undefined): Placed | Refusal {
  const caller = callerOf(tx, asking);
  if (isRefusal(caller)) return caller;
  if (!caller.names.includes(content.from.agent)) return refuseSender(caller, content.from.agent);
  const refusal = refuseSelf(caller, content) ?? refuseBesideRun(tx, caller, content);
  if (refusal !== undefined) return refusal;
  const place = placeOfCaller(tx, caller, caller.projectId ?? projectId ?? 0);
  if (place !== undefined) return { caller, place };
  return projectId === undefined
    ? { code: 'project_not_found', sentence: 'Name the project that contains the artifacts of the package.' }
    : { code: 'project_not_found', sentence: `Project ${projectId} not found` };
}

/** A caller can send packages only under its own names (SPEC P15). */
const refuseSender = ({ kind, names }: PackageCaller, from: string): Refusal => ({
  code: 'forbidden',
  ...(kind === 'operator'
    ? {
        sentence: `This package is from ${from}, but you can only send packages from ${names.join(' or ')}.`,
        hint: `Write "from: { agent: ${names[0]} }", or let ${from} send the package: baton package create`,
      }
    : {
        sentence: `An agent can only send packages in its own name: from.agent is ${from}, but you are ${names.join(', ')}.`,
        hint: `Write "from: { agent: ${names[0]} }"`,
      }),
});

/**
 * Refuses a package that the sender addresses to itself under another of its own names, because no agent could accept
 * such a package. A package to the name in `from.agent` is allowed, because it is for the agent's next session. The
 * operator can never send a package to themselves.
 */
function refuseSelf({ kind, names }: PackageCaller, { from, to }: PackageInput): Refusal | undefined {
  if (!names.includes(to.agent)) return undefined;
  if (kind === 'operator')
    return {
      code: 'bad_request',
      sentence: `You cannot send a package to yourself: ${names.join(' and ')} are both you, the operator.`,
      hint: 'Name an agent in to.agent. List the names: baton package agents',
    };
  return to.agent === from.agent
    ? undefined
    : {
        code: 'bad_request',
        sentence: `You cannot send a package to yourself (${to.agent}).`,
        hint: `Name another agent in to.agent, or ${from.agent} for your own next session.`,
      };
}

/**
 * Refuses a package that an agent in a handoff run sends to its own next session, because Baton writes this package
 * itself (SPEC P26).
 */
function refuseBesideRun(tx: Tx, { agentId }: PackageCaller, { from, to }: PackageInput): Refusal | undefined {
  if (from.agent !== to.agent || agentId === null) return undefined;
  const run = runInFlightOf(tx, agentId);
  return run === undefined
    ? undefined
    : {
        code: 'agent_in_handoff',
        sentence: `Agent ${agentId} is in handoff ${run.id}, so the package to its successor was not created: Baton writes that package itself.`,
        runId: run.id,
      };
}

interface Creation {
  readonly content: PackageInput;
  readonly wanted: PackageRequest;
  readonly scene: Scene;
}

function createIn(tx: Tx, ports: Ports, asking: Asking, { content, wanted, scene }: Creation): StoredPackage | Refusal {
  const placed = placeOf(tx, asking, content, wanted.projectId);
  if (isRefusal(placed)) return placed;
  const { caller } = placed;
  const { looked } = scene;
  const createKey = keyOf(ports, caller, wanted);
  const known = createKey === null ? undefined : tx.packageByKey(createKey.key);
  if (known !== undefined) return sameOrRefused(known, createKey?.bodyHash, looked.project.id);
  if (content.id !== undefined && tx.packageById(content.id) !== undefined)
    return {
      code: 'key_reused',
      sentence: `A package ${content.id} already exists.`,
      hint: 'Leave `id` out; Baton assigns the id.',
    };
  const waivers = wanted.waivers.map((waiver) => ({ ...waiver, by: 'operator' }));
  const followed = followPackage(tx, caller, content, looked);
  if (isRefusal(followed)) return followed;
  const draft = (parent: StoredPackage | undefined, written: PackageInput) =>
    insertDraft(tx, ports, {
      caller,
      content: written,
      type: followed.type ?? 'delegation',
      parent,
      before: followed.before,
      place: looked.place,
      waivers,
      createKey,
    });
  if (!wanted.seal) return draft(followed.parent, followed.addressed);
  const ready = readyToSeal(tx, ports, {
    caller,
    followed,
    scene,
    waivers,
    what: 'The package was not sealed and not stored',
  });
  if (isRefusal(ready)) return ready;
  const stored = draft(ready.parent, ready.content);
  return sealAndEnd(tx, ports, stored, { caller, actor: 'sender', followed, scene, findings: ready.findings });
}

interface Readying {
  readonly caller: PackageCaller;
  readonly followed: Followed;
  readonly scene: Scene;
  readonly waivers: readonly Waiver[];
  readonly what: string;
}

/** Runs all checks that can prevent the seal, before anything is stored. */
function readyToSeal(
  tx: Tx,
  ports: Ports,
  { caller, followed, scene, waivers, what }: Readying,
): { parent: StoredPackage | undefined; content: PackageInput; findings: LintReport['findings'] } | Refusal {
  const { looked, gateSeen } = scene;
  const untimely = refuseUntimelyReturn(tx, caller, followed);
  if (untimely !== undefined) return untimely;
  const report = lintInStore(tx, ports, followed, looked, waivers);
  if (!mayBeSealed(report)) return refuseFor(report.findings, what, 'not_sealable');
  const passed = checkGates(tx, ports, { caller, followed, looked, gateSeen });
  if (isRefusal(passed)) return passed;
  const { parent } = passed;
  const type = followed.type ?? 'delegation';
  const inherited = [parent, followed.gates.at(-1)].reduce(
    (content, before) => withInherited(content, type, before),
    followed.content,
  );
  return { parent, content: inherited, findings: report.findings };
}

interface Sealing {
  readonly caller: PackageCaller;
  readonly actor: Actor;
  readonly followed: Followed;
  readonly scene: Scene;
  readonly findings: LintReport['findings'];
  readonly changes?: Pick<StoredPackage, 'content' | 'lineage'>;
}

/**
 * Seals the draft (SPEC P23). If the draft is a return package, also completes the delegation that the return package
 * answers.
 */
function sealAndEnd(
  tx: Tx,
  ports: Ports,
  draft: StoredPackage,
  { caller, actor, followed, scene, findings, changes }: Sealing,
): StoredPackage | Refusal {
  const type = followed.type ?? 'delegation';
  const { looked, results } = scene;
  const { move } = followed;
  const sealed = sealIn(tx, ports, draft, {
    caller,
    actor,
    looked,
    findings,
    type,
    move,
    ...(changes === undefined ? {} : { changes }),
  });
  if (isRefusal(sealed) || sealed.lineage.returnsFor === null) return sealed;
  const answered = tx.packageById(sealed.lineage.returnsFor);
  const fact = { type: 'completed', by: 'receiver', results, returned: true } as const;
  const ended =
    answered && recordPackageFact(tx, ports, answered, fact, { agentId: caller.agentId, changes: { results } });
  // The lint has already checked in this transaction that the delegation is open, so a refusal here is a bug.
  if (isRefusal(ended)) throw new Error(ended.sentence);
  return sealed;
}

/**
 * Refuses a return package for a delegation that the caller has not accepted yet, and a second return package for the
 * same delegation (SPEC P23). With two return packages, the sender of the delegation would not know which result is
 * valid. Without this function, the lint would refuse both cases, but only say that no open delegation waits for a
 * return.
 */
function refuseUntimelyReturn(
  tx: Tx,
  caller: PackageCaller,
  { content: { lineage }, type }: Followed,
): Refusal | undefined {
  const answered = lineage?.returns_for === undefined ? undefined : tx.packageById(lineage.returns_for);
  if (type !== 'return' || answered?.record.type !== 'delegation' || !isParty(answered, caller)) return undefined;
  const { id, state } = answered.record;
  if (state === 'completed')
    return { code: 'package_over', sentence: `${id} is completed: its result was already returned.` };
  if (state !== 'pending') return undefined;
  return {
    code: 'package_not_possible',
    sentence: `${id} is not acknowledged yet, so its result cannot be returned.`,
    hint: `Accept the package first with ${theTool('handoff_ack')}, or by command: baton package ack ${id} --task "IN YOUR WORDS"`,
  };
}

function keyOf(
  ports: Ports,
  { names }: PackageCaller,
  { key, authored, seal, waivers }: PackageRequest,
): StoredPackage['createKey'] {
  if (key === undefined) return null;
  const body = waivers.length === 0 ? [authored.value, seal] : [authored.value, seal, waivers];
  return { key: `${names.at(-1)}/${key}`, bodyHash: ports.chance.sha256(canonicalJson(body)) };
}

const sameOrRefused = (
  known: StoredPackage,
  bodyHash: string | undefined,
  projectId: number,
): StoredPackage | Refusal =>
  known.createKey?.bodyHash === bodyHash && known.projectId === projectId
    ? known
    : {
        code: 'key_reused',
        sentence: `The idempotency key was already used for ${known.record.id} with different content.`,
      };

/**
 * Seals a draft. If `authored` is given, it first becomes the content of the draft. If the lint finds errors, the draft
 * stays a draft.
 */
export async function sealDraft(
  ports: Ports,
  asking: Asking,
  id: string,
  { authored }: { readonly authored?: Authored | undefined },
): Promise<StoredPackage | Refusal> {
  if (authored !== undefined) {
    const edited = await editDraft(ports, asking, id, authored);
    if (isRefusal(edited)) return edited;
  }
  const before = ports.store.read((tx) => draftOf(tx, asking, id));
  if (isRefusal(before)) return before;
  const scene = await look(ports, before, before.stored.content, id);
  if (isRefusal(scene)) return scene;
  return ports.store.write((tx) => {
    const found = ownDraftOf(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller, actor } = found;
    if (stored.seq !== before.stored.seq)
      return {
        code: 'stale_content',
        sentence: `${id} was changed while Baton checked it, so Baton did not seal it. Try again.`,
      } as const;
    // The package is already sealed. Let the transition table refuse the request, because its refusal names the state
    // of the package.
    const { seal } = stored.record;
    if (seal !== null) return recordPackageFact(tx, ports, stored, { type: 'sealed', seal, by: actor });
    // The draft was canceled. Refuse the request without the draft's findings: they would suggest that the draft can
    // still be corrected and sealed.
    if (isTerminal(stored.record)) return overRefusal(stored.record);
    // Refuse a draft that is addressed to its own author. This check is needed because earlier versions of Baton stored
    // such drafts.
    const toSelf = refuseSelf(caller, stored.content);
    if (toSelf !== undefined) return toSelf;
    const followed = followPackage(tx, caller, stored.content, scene.looked, id);
    if (isRefusal(followed)) return followed;
    const { waivers } = stored;
    const ready = readyToSeal(tx, ports, {
      caller,
      followed,
      scene,
      waivers,
      what: `${id} was not sealed and stays a draft`,
    });
    if (isRefusal(ready)) return ready;
    const { content, parent, findings } = ready;
    const changes = { content, lineage: lineageOf(id, content, parent, parent ?? followed.before) };
    return sealAndEnd(tx, ports, stored, { caller, actor, followed, scene, findings, changes });
  });
}

function draftOf(tx: Tx, asking: Asking, id: string) {
  const found = findPackage(tx, asking, id);
  if (isRefusal(found)) return found;
  const place = placeOfRevision(tx, found.caller, found.stored);
  return place === undefined
    ? ({ code: 'project_not_found', sentence: `The project of ${id} is gone, so nothing was changed.` } as const)
    : { ...found, place };
}

/** Returns the draft if the caller may change it, and a refusal if not. */
function ownDraftOf(tx: Tx, asking: Asking, id: string) {
  const found = draftOf(tx, asking, id);
  if (isRefusal(found)) return found;
  const part = actorOf(tx, found, ['sender']);
  return isRefusal(part) ? part : { ...found, actor: part.actor };
}

/** Replaces the content of a draft. Only the author can do this, and the sender of the draft cannot be changed. */
async function editDraft(
  ports: Ports,
  asking: Asking,
  id: string,
  authored: Authored,
): Promise<StoredPackage | Refusal> {
  const content = validateAuthored(ports, authored);
  if (isRefusal(content)) return content;
  return ports.store.write((tx) => {
    const found = ownDraftOf(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller, actor } = found;
    if (content.from.agent !== stored.record.from)
      return {
        code: 'forbidden',
        sentence: `${id} is from ${stored.record.from}; its sender cannot be changed.`,
      } as const;
    const toSelf = refuseSelf(caller, content);
    if (toSelf !== undefined) return toSelf;
    const fields = recordFields(id, stored.record.type, content);
    return recordPackageFact(
      tx,
      ports,
      stored,
      { type: 'edited', by: actor },
      { agentId: caller.agentId, changes: { content }, fields },
    );
  });
}

/** Records that a person waives a lint error, so that the author can seal the draft (SPEC P13). */
export function waiveRule(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  asking: Asking,
  id: string,
  given: Omit<Waiver, 'by'>,
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const unfit = refuseText(ports, { why: given.why });
    if (unfit !== undefined) return unfit;
    const past = refusePast(given, ports.clock.now());
    if (past !== undefined) return past;
    if (NEVER_WAIVED.has(given.rule))
      return {
        code: 'forbidden',
        sentence: `Rule ${given.rule} cannot be waived; correct what its finding reports.`,
      } as const;
    if (found.stored.record.state !== 'draft')
      return {
        code: 'package_not_possible',
        sentence: `${id} is no longer a draft, so no rule can be waived for it.`,
      } as const;
    const { record, waivers } = found.stored;
    const changes = { waivers: [...waivers, { ...given, by: 'operator' }] };
    return notePackage(tx, ports, found.stored, { note: 'waived', agentId: null, record, changes });
  });
}
