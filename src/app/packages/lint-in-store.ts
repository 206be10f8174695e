import { isLive } from '../../domain/agent/agent.ts';
import { usableHashes } from '../../domain/package/artifact-seen.ts';
import { declaredType, inferType } from '../../domain/package/infer-type.ts';
import type { AgentCard } from '../../domain/package/lint/chain.ts';
import type { Waiver } from '../../domain/package/lint/finding.ts';
import { type LintReport, lintPackage } from '../../domain/package/lint/lint-package.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import { chainWorld } from '../../domain/package/package-chain.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { WorkflowKnown } from '../../domain/workflow/workflow-findings.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { ROOT } from './judge-authored.ts';
import { changedFiles, type Looked } from './look-at-project.ts';
import { numbersOf } from './package-caller.ts';

export interface ToLint {
  readonly content: PackageInput;
  readonly parent: StoredPackage | undefined;
  readonly looked: Looked;
  readonly waivers: readonly Waiver[];
  readonly workflow: WorkflowKnown | null;
}

/** All rules: with the disk, the chain and the agents at hand. */
export function lintInStore(tx: Tx, ports: Ports, { content, parent, looked, waivers, workflow }: ToLint): LintReport {
  const at = ports.clock.now();
  const chain = parent === undefined ? [] : tx.packages({ root: parent.lineage.root });
  const artifacts = Object.values(usableHashes(looked.seen));
  const known = chainWorld(
    chain,
    parent,
    { workflow, content, at, artifacts },
    (so) => declaredType(content) ?? inferType(content, so),
  );
  return lintPackage(
    { value: content, root: ROOT, problems: [] },
    {
      now: at,
      chain: known,
      agents: agentCards(tx, looked.project.id),
      disk: { artifacts: looked.seen, changed: changedFiles(looked) },
      waivers,
    },
  );
}

/** Personas by their slug, whether or not somebody wears them now; sessions only while they live. */
function agentCards(tx: Tx, projectId: number): readonly AgentCard[] {
  const personas = tx
    .personas()
    .filter(({ status }) => status === 'active')
    .map(({ slug, role }) => ({ id: slug, capabilities: [role] }));
  const agents = tx
    .liveAgents()
    .filter((agent) => agent.projectId === projectId && isLive(agent))
    .flatMap((agent) => numbersOf(tx, agent))
    .map((id) => ({ id, capabilities: [] }));
  return [...personas, ...agents];
}
