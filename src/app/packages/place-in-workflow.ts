import { declaredType, inferType } from '../../domain/package/infer-type.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import { chainLog } from '../../domain/package/package-chain.ts';
import { openFrames } from '../../domain/package/return-stack.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { type Standing, standingOf, stateBehind, withReceiver, withState } from '../../domain/workflow/standing.ts';
import { WORKFLOW_PATH } from '../../domain/workflow/workflow.ts';
import type { WorkflowKnown } from '../../domain/workflow/workflow-findings.ts';
import type { Tx } from '../ports/store.ts';
import type { Looked } from './look-at-project.ts';

/** A package as the workflow of its project completes it. */
export interface InWorkflow {
  /** With all that the author left out and the workflow knows. */
  readonly content: PackageInput;
  /** With its receiver alone: what a draft has, because the rest may change until it is sealed. */
  readonly addressed: PackageInput;
  /** The step that it passes on; undefined: none. */
  readonly move: Standing | undefined;
  readonly known: WorkflowKnown | null;
}

interface Written {
  readonly content: PackageInput;
  readonly id?: string;
  readonly parent: StoredPackage | undefined;
}

/** P27 and P28. A workflow that cannot be read refuses what would need it, and nothing else. */
export function placeInWorkflow(tx: Tx, { workflow: read }: Looked, written: Written): InWorkflow | Refusal {
  const { content, parent } = written;
  const chain = parent === undefined ? [] : tx.packages({ root: parent.lineage.root });
  const typeWith = (nextAgent: string | null, about: PackageInput) =>
    declaredType(about) ?? inferType(about, { openFrames: openFrames(chainLog(chain)), nextAgent });
  if (read.kind !== 'workflow') {
    const isNeeded = typeWith(content.to.agent, content) === 'sequential';
    if (read.kind === 'bad' && isNeeded) return unusable(read);
    return { content, addressed: content, move: undefined, known: null };
  }
  const { workflow } = read;
  const standing = standingOf(workflow, { ...written, chain });
  const next = standing === undefined ? null : { agent: standing.next.agent, state: stateBehind(standing) };
  const addressed = withReceiver(content, standing);
  const passesOn = next?.agent === addressed.to.agent && typeWith(next.agent, addressed) === 'sequential';
  const move = passesOn ? standing : undefined;
  return {
    content: move === undefined ? addressed : withState(addressed, move),
    addressed,
    move,
    known: { name: workflow.name, agents: workflow.steps.map(({ agent }) => agent), next },
  };
}

const unusable = ({ sentence, line }: { readonly sentence: string; readonly line: number | null }): Refusal => ({
  code: 'workflow_unusable',
  sentence: `Nothing was done: the workflow of this project cannot be used (${WORKFLOW_PATH}${line === null ? '' : `, line ${line}`}: ${sentence})`,
  hint: `Mend it (baton workflow check ${WORKFLOW_PATH}), or name another type if the package is not part of it.`,
});
