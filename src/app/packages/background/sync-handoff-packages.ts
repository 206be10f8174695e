import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import {
  continuationContent,
  continuationFact,
  continuationKey,
  isContinued,
  type RunSeen,
} from '../../../domain/packages/content/continuation.ts';
import { sealOf } from '../../../domain/packages/content/seal-package.ts';
import type { PackageCaller } from '../../../domain/packages/package-parties.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { loadRunContext } from '../../engine/run-context.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { workingDirectoryOf } from '../../worktrees/working-directory.ts';
import { callerAs } from '../package-caller.ts';
import { recordPackageFact } from '../record-package-fact.ts';
import { insertDraft, nextRevision } from '../seal-package.ts';

/**
 * Updates the package of each run that has advanced (SPEC P25 and P26). The change of the run itself is already
 * committed. So a failure here affects neither the run nor other packages, and the next reconcile tries again.
 */
export async function syncHandoffPackages(ports: Ports): Promise<void> {
  let fault: unknown;
  for (const { id } of ports.store.read((tx) => tx.runsToSync())) {
    try {
      await ports.store.write((tx) => tell(tx, ports, id));
      ports.checkpoint('continuation:kept');
    } catch (error) {
      fault ??= error;
    }
  }
  if (fault !== undefined) throw fault;
}

function tell(tx: Tx, ports: Ports, runId: number): void {
  const run = tx.runById(runId);
  // Update the packages of the agent's earlier runs as well: a new run ends the earlier runs, and no other code closes
  // their packages.
  if (run !== undefined) for (const each of [...earlierRuns(tx, run), run]) follow(tx, ports, each);
  tx.clearRunDirty(runId);
}

function earlierRuns(tx: Tx, { id, agentId }: Run): readonly Run[] {
  const predecessorId = tx.agentById(agentId)?.previousAgentId ?? null;
  const made = predecessorId === null ? [] : tx.runsOfAgent(predecessorId);
  return [...made, ...tx.runsOfAgent(agentId)].filter((run) => run.id < id && packageOf(tx, run) !== undefined);
}

const packageOf = (tx: Tx, { id }: Run): StoredPackage | undefined => tx.packageByKey(continuationKey(id));

function follow(tx: Tx, ports: Ports, run: Run): void {
  const agent = tx.agentById(run.agentId);
  if (agent === undefined) return;
  let stored = packageOf(tx, run) ?? (isContinued(run) ? create(tx, ports, run, agent) : undefined);
  const seen: RunSeen = { run, predecessorGone: !isLive(agent), newerRunId: loadRunContext(tx, ports, run).newerRunId };
  while (stored !== undefined) {
    const fact = continuationFact(stored, seen);
    if (fact === undefined) return;
    const { successorAgentId } = run;
    const bound = stored.receiverAgentId === successorAgentId ? {} : { receiverAgentId: successorAgentId };
    const changes = fact.type === 'acknowledged' ? bound : {};
    stored = kept(recordPackageFact(tx, ports, stored, fact, { agentId: run.agentId, changes }));
  }
}

/**
 * Returns the package. Throws if the transition table refused the fact. Such a refusal is a bug in Baton, and the error
 * rolls the transaction back.
 */
function kept(after: StoredPackage | Refusal): StoredPackage {
  if (isRefusal(after)) throw new Error(after.sentence);
  return after;
}

function create(tx: Tx, ports: Ports, run: Run, agent: Agent): StoredPackage | undefined {
  const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
  const place = workingDirectoryOf(tx, agent);
  const { path, sha256, bytes } = run.document ?? {};
  if (persona === undefined || place === undefined || path === undefined || !sha256) return undefined;
  const caller = callerAs(tx, agent);
  const content = continuationContent(run, persona);
  const draft = insertDraft(tx, ports, {
    caller,
    content,
    type: 'continuation',
    parent: parentFor(tx, run, caller),
    place,
    createKey: { key: continuationKey(run.id), bodyHash: sha256 },
    runId: run.id,
  });
  // Seal the package with the hash of the document that the run verified. If the document changes later, the receiver's
  // report shows the change.
  const seen = { [path]: { kind: 'file', sha256, bytes: bytes ?? 0 } as const };
  const git = run.git ?? { kind: 'unknown', why: 'failed', sentence: 'git was not checked' };
  const sealed = nextRevision(tx, ports, draft, { caller, looked: { seen, git } });
  return kept(
    recordPackageFact(
      tx,
      ports,
      draft,
      { type: 'sealed', seal: sealOf(sealed), by: 'sender' },
      { agentId: agent.id, changes: { revisions: [sealed] } },
    ),
  );
}

/**
 * Returns the parent of the package: the newest package that the persona works on. If the persona works on no package,
 * returns the package of the handoff that made this agent the successor.
 */
function parentFor(tx: Tx, run: Run, { persona, projectId }: PackageCaller): StoredPackage | undefined {
  const own = tx.packagesMarked('work', { projectId: projectId ?? 0, name: persona ?? '' }, 1, 'newest');
  const before = tx.agentById(run.agentId)?.previousAgentId ?? null;
  const made = before === null ? [] : tx.runsOfAgent(before).filter((each) => each.successorAgentId === run.agentId);
  return own.at(-1) ?? made.map((each) => packageOf(tx, each)).findLast((each) => each !== undefined);
}
