import { type WorkflowKnown, workflowStateFindings } from '../../workflows/workflow-findings.ts';
import { isPerson, NEXT } from '../content/package.ts';
import type { ChainKnown } from '../content/package-type.ts';
import type { LintFinding } from './finding.ts';
import { found } from './finding-builder.ts';
import { listOf, type PackageView, type Path, recordOf, textOf } from './view.ts';

/** The chain and the workflow that the package belongs to. The package must be consistent with both. */
export interface ChainWorld extends ChainKnown {
  /** The reason why the agent must not send this package in its chain (SPEC P24). Null if the package is allowed. */
  readonly limit: string | null;
  /** The project's workflow; null if the project has none. */
  readonly workflow: WorkflowKnown | null;
}

/** Checks rules HP502 (return packages), HP503 (length of the chain) and HP505 (workflow state). */
export function chainFindings(view: PackageView, root: Path, chain: ChainWorld): readonly LintFinding[] {
  return [
    ...returnFindings(view, root, chain),
    ...(chain.limit === null ? [] : [found('HP503', [...root, 'to', 'agent'], chain.limit)]),
    ...(chain.workflow === null ? [] : workflowStateFindings(view, root, chain.workflow)),
  ];
}

function returnFindings(view: PackageView, root: Path, { openFrames }: ChainWorld): readonly LintFinding[] {
  if (view.type !== 'return') return [];
  const answers = textOf(recordOf(view.raw.lineage).returns_for);
  const frame = [...openFrames]
    .reverse()
    .find(({ callee, handoff }) => callee === view.fromAgent && (answers === undefined || answers === handoff));
  if (frame === undefined)
    return [found('HP502', [...root, 'from', 'agent'], 'No open delegation waits for a return from this agent.')];
  if (frame.caller === view.toAgent) return [];
  return [
    found(
      'HP502',
      [...root, 'to', 'agent'],
      `The return package must go to ${frame.caller}, the agent that delegated the task.`,
    ),
  ];
}

/** An agent and its capabilities, as the lint rules see them. */
export interface AgentCard {
  readonly id: string;
  readonly capabilities: readonly string[];
}

/** Checks HP506 and HP507: whether the receiver is known and has the required capabilities. */
export function receiverFindings(view: PackageView, root: Path, agents: readonly AgentCard[]): readonly LintFinding[] {
  const { toAgent } = view;
  if (toAgent === undefined || isPerson(toAgent)) return [];
  if (toAgent === NEXT)
    return [
      found('HP507', [...root, 'to', 'agent'], 'The package names no receiver, and no workflow defines the next one.'),
    ];
  const card = agents.find(({ id }) => id === toAgent);
  if (card === undefined) {
    const known = agents.map(({ id }) => id).slice(0, 8);
    const message = `Unknown agent ${toAgent}. Known agents: ${[...known, 'human'].join(', ')}.`;
    return [found('HP507', [...root, 'to', 'agent'], message)];
  }
  const wanted = listOf(recordOf(view.raw.to).capabilities_required).flatMap((item) => textOf(item) ?? []);
  return wanted
    .filter((capability) => !card.capabilities.includes(capability))
    .map(() => found('HP506', [...root, 'to', 'capabilities_required'], 'The receiver lacks a required capability.'));
}
