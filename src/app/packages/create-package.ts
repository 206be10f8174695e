import { canonicalJson } from '../../domain/package/canonical-json.ts';
import type { Waiver } from '../../domain/package/lint/finding.ts';
import { type LintReport, mayBeSealed } from '../../domain/package/lint/lint-package.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import type { PackageCaller } from '../../domain/package/package-parties.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { WorkPlace } from '../work-place.ts';
import type { Ports } from '../world.ts';
import { carryConditions } from './carry-conditions.ts';
import { followed } from './followed-package.ts';
import { insertDraft } from './insert-draft.ts';
import { type Authored, judgeAuthored, refuseFor, refuseText } from './judge-authored.ts';
import { lintInStore } from './lint-in-store.ts';
import { type Looked, lookAtProject } from './look-at-project.ts';
import { type Asking, callerOf } from './package-caller.ts';
import { placeOfCaller } from './package-place.ts';
import { openGates, passGates } from './pass-gates.ts';
import { placeInWorkflow } from './place-in-workflow.ts';
import { refuseSecondReturn } from './return-of.ts';
import { sealIn } from './seal-in-store.ts';

export interface PackageWanted {
  readonly authored: Authored;
  /** For a person; an agent writes about its own project. */
  readonly projectId?: number | undefined;
  /** false: it stays a draft. */
  readonly seal: boolean;
  readonly waivers: readonly Omit<Waiver, 'by'>[];
  /** The same key, body, project and waivers again is the same package. */
  readonly key?: string | undefined;
}

/** Where a new package stands, before anything was looked at. */
interface Placed {
  readonly caller: PackageCaller;
  readonly place: WorkPlace;
  readonly content: PackageInput;
  readonly parent: StoredPackage | undefined;
}

/** A package from its author's words: a draft, or sealed at once. What is not to be sealed leaves nothing behind. */
export async function createPackage(
  ports: Ports,
  asking: Asking,
  wanted: PackageWanted,
): Promise<StoredPackage | Refusal> {
  const content = judgeAuthored(ports, wanted.authored);
  if (isRefusal(content)) return content;
  const unfit = refuseText(ports, { waivers: wanted.waivers }) ?? refuseWaivers(asking, wanted);
  if (unfit !== undefined) return unfit;
  const placed = ports.store.read((tx) => place(tx, asking, content, wanted.projectId));
  if (isRefusal(placed)) return placed;
  const looked = await look(ports, placed);
  return ports.store.write((tx) => createIn(tx, ports, asking, { content, wanted, looked }));
}

/** What the lint would say of it, with all that is at hand; nothing is kept. */
export async function lintAuthored(
  ports: Ports,
  asking: Asking,
  { authored, projectId }: Pick<PackageWanted, 'authored' | 'projectId'>,
): Promise<LintReport | Refusal> {
  const content = judgeAuthored(ports, authored);
  if (isRefusal(content)) return content;
  const placed = ports.store.read((tx) => place(tx, asking, content, projectId));
  if (isRefusal(placed)) return placed;
  const { parent } = placed;
  const looked = await look(ports, placed);
  return ports.store.read((tx) => {
    const at = placeInWorkflow(tx, looked, { content, parent });
    if (isRefusal(at)) return at;
    return lintInStore(tx, ports, { content: at.content, parent, looked, waivers: [], workflow: at.known });
  });
}

const look = (ports: Ports, { place, content, parent }: Placed): Promise<Looked> =>
  lookAtProject(ports, place, content, [parent, ...ports.store.read((tx) => openGates(tx, place.project.id, content))]);

const refuseWaivers = ({ kind }: Asking, { waivers }: PackageWanted): Refusal | undefined =>
  kind === 'agent' && waivers.length > 0
    ? { code: 'forbidden', sentence: 'A waiver is given by a person, who answers for it.' }
    : undefined;

function place(tx: Tx, asking: Asking, content: PackageInput, projectId: number | undefined): Placed | Refusal {
  const caller = callerOf(tx, asking);
  if (isRefusal(caller)) return caller;
  if (!caller.names.includes(content.from.agent))
    return {
      code: 'forbidden',
      sentence: `Nobody writes packages for another: from.agent is ${content.from.agent}, and you are ${caller.names.join(', ')}.`,
      hint: `Write from.agent: ${caller.names[0]}`,
    };
  const refusal = refuseSelf(caller, content) ?? refuseBesideRun(tx, caller, content);
  if (refusal !== undefined) return refusal;
  const place = placeOfCaller(tx, caller, caller.projectId ?? projectId ?? 0);
  if (place === undefined)
    return projectId === undefined
      ? { code: 'project_not_found', sentence: 'Say which project the package is about; its artifacts lie there.' }
      : { code: 'project_not_found', sentence: `Project ${projectId} not found` };
  const parent = followed(tx, caller, place.project.id, content);
  return isRefusal(parent) ? parent : { caller, place, content, parent };
}

/** Under another of his names it would be no continuation, and nobody could ever take it. */
export function refuseSelf({ names }: PackageCaller, { from, to }: PackageInput): Refusal | undefined {
  return to.agent === from.agent || !names.includes(to.agent)
    ? undefined
    : {
        code: 'bad_request',
        sentence: `${to.agent} is yourself, and nobody takes a package that he has sent.`,
        hint: `Name another agent. What the next session of ${from.agent} goes on with is for ${from.agent}.`,
      };
}

/** P26. What a run passes on, its own package tells. */
function refuseBesideRun(tx: Tx, { agentId }: PackageCaller, { from, to }: PackageInput): Refusal | undefined {
  if (from.agent !== to.agent || agentId === null) return undefined;
  const run = tx.runsInFlight().find((each) => each.agentId === agentId || each.successorAgentId === agentId);
  return run === undefined
    ? undefined
    : {
        code: 'agent_in_handoff',
        sentence: `Agent ${agentId} is in handoff run ${run.id}, and Baton itself writes the package of it.`,
        runId: run.id,
      };
}

interface Creation {
  readonly content: PackageInput;
  readonly wanted: PackageWanted;
  readonly looked: Looked;
}

function createIn(
  tx: Tx,
  ports: Ports,
  asking: Asking,
  { content, wanted, looked }: Creation,
): StoredPackage | Refusal {
  const placed = place(tx, asking, content, wanted.projectId);
  if (isRefusal(placed)) return placed;
  const { caller, parent } = placed;
  const createKey = keyOf(ports, caller, wanted);
  const known = createKey === null ? undefined : tx.packageByKey(createKey.key);
  if (known !== undefined) return sameOrRefused(known, createKey?.bodyHash, placed.place.project.id);
  const waivers = wanted.waivers.map((waiver) => ({ ...waiver, by: 'operator' }));
  const at = placeInWorkflow(tx, looked, { content, parent });
  if (isRefusal(at)) return at;
  const { move } = at;
  const report = lintInStore(tx, ports, { content: at.content, parent, looked, waivers, workflow: at.known });
  if (wanted.seal && !mayBeSealed(report))
    return refuseFor(report.findings, 'It is not sealed and not kept', 'not_sealable');
  const second = wanted.seal ? refuseSecondReturn(tx, at.content) : undefined;
  if (second !== undefined) return second;
  const passed = wanted.seal ? passGates(tx, ports, { caller, content: at.content, parent, move, looked }) : { parent };
  if (isRefusal(passed)) return passed;
  const behind = { parent: passed.parent, isReturn: report.type === 'return', projectId: looked.project.id };
  const draft = insertDraft(tx, ports, {
    caller,
    content: wanted.seal ? carryConditions(tx, { content: at.content, ...behind }) : at.addressed,
    parent: passed.parent,
    type: report.type ?? 'delegation',
    place: looked.place,
    waivers,
    createKey,
  });
  return wanted.seal ? sealIn(tx, ports, draft, { caller, actor: 'sender', epoch: 1, looked, report, move }) : draft;
}

function keyOf(
  ports: Ports,
  { names }: PackageCaller,
  { key, authored, seal, waivers }: PackageWanted,
): StoredPackage['createKey'] {
  if (key === undefined) return null;
  // Without waivers as it always was: keys that were used before are known again.
  const body = waivers.length === 0 ? [authored.value, seal] : [authored.value, seal, waivers];
  return { key: `${names.at(-1)}/${key}`, bodyHash: ports.chance.sha256(canonicalJson(body)) };
}

/** Its waivers may have become more since, so they are known by the hash; its project stays. */
const sameOrRefused = (
  known: StoredPackage,
  bodyHash: string | undefined,
  projectId: number,
): StoredPackage | Refusal =>
  known.createKey?.bodyHash === bodyHash && known.projectId === projectId
    ? known
    : { code: 'key_reused', sentence: `This key made ${known.record.id} already, from something else.` };
