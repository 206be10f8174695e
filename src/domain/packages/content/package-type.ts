import { agentOf, recordOf, textOf } from '../lint/view.ts';
import { isPerson as isPersonName, PACKAGE_TYPES, type PackageType } from './package.ts';

const isPerson = (name: string | undefined): boolean => name !== undefined && isPersonName(name);

/** The facts about a chain that are needed to infer the type of a package. */
export interface ChainKnown {
  /** The delegations of the chain that still wait for their return packages; the newest comes last. */
  readonly openFrames: readonly { readonly handoff: string; readonly caller: string; readonly callee: string }[];
  /** The agent of the next workflow step; null if no workflow is active. */
  readonly nextAgent: string | null;
  /** True if a person sends the package to the agent of the first step. Such a package may begin the workflow. */
  readonly personBegins?: boolean;
}

/**
 * Infers the type of a package (SPEC P3). If the content alone does not determine the type, the sender's name is needed
 * as well; returns undefined if the package has no readable sender. If the chain is unknown, a package without
 * expectations whose `from.step` is null counts as a return package. A package that fits no other type counts as
 * sequential.
 */
export function inferType(value: unknown, chain?: ChainKnown): PackageType | undefined {
  const sure = surelyOf(value);
  if (sure !== undefined) return sure;
  const raw = recordOf(value);
  const { from, to } = partiesOf(value);
  if (from === undefined) return undefined;
  if (chain?.openFrames.some(({ caller, callee }) => callee === from && caller === to)) return 'return';
  const { deliverable, success_criteria } = recordOf(raw.expectations);
  const isDelegation = deliverable !== undefined && success_criteria !== undefined;
  // A person may also send work outside the workflow to the agent of the first step. So a delegation from a person
  // begins the workflow only if the package has a `workflow_state`.
  const isApart = chain?.personBegins === true && isDelegation && raw.workflow_state === undefined;
  if (to !== undefined && chain?.nextAgent === to && !isApart) return 'sequential';
  if (isDelegation) return 'delegation';
  return chain === undefined && raw.expectations === undefined && recordOf(raw.from).step === null
    ? 'return'
    : 'sequential';
}

/**
 * Returns the type if the content of the package alone is enough to determine the type. Returns undefined if it is not
 * enough.
 */
function surelyOf(value: unknown): PackageType | undefined {
  const raw = recordOf(value);
  const { from, to } = partiesOf(value);
  if (raw.gate !== undefined) return 'gate';
  // A return package may go to a person if that person sent the delegation; the chain rules check this (HP502).
  if (isPerson(to) && declaredType(value) !== 'return') return 'escalation';
  if (from !== undefined && from === to) return 'continuation';
  return textOf(recordOf(raw.lineage).returns_for) === undefined ? undefined : 'return';
}

function partiesOf(value: unknown): { readonly from: string | undefined; readonly to: string | undefined } {
  const raw = recordOf(value);
  return { from: agentOf(raw.from), to: agentOf(raw.to) };
}

export const declaredType = (value: unknown): PackageType | undefined =>
  PACKAGE_TYPES.find((type) => type === recordOf(value).type);

/** Returns the reason why the declared type is wrong (SPEC P4). Returns undefined if the type fits the package. */
export function contradictionOf(value: unknown, chain?: ChainKnown): string | undefined {
  const declared = declaredType(value);
  if (declared === undefined) return undefined;
  const { to } = partiesOf(value);
  const sure = surelyOf(value);
  if (sure === 'gate' && declared !== 'gate') return `it has a gate block, so its type is gate, not ${declared}`;
  if (declared === 'gate' && sure !== 'gate') return 'its type is gate, but it has no gate block';
  if (isPerson(to) && sure === 'escalation' && declared !== 'escalation')
    return `it goes to a person, so its type is escalation or gate, not ${declared}`;
  if (declared === 'escalation' && to !== undefined && !isPerson(to))
    return 'an escalation goes to `human`, but this one goes to an agent';
  if (sure === 'continuation' && declared !== 'continuation')
    return `sender and receiver are the same, so its type is continuation, not ${declared}`;
  if (declared === 'continuation' && to !== undefined && sure !== 'continuation')
    return 'a continuation goes to the same persona, but this one goes to another';
  if (sure === 'return' && declared !== 'return')
    return `it answers a delegation, so its type is return, not ${declared}`;
  return againstChain(value, declared, chain);
}

function againstChain(value: unknown, declared: PackageType, chain: ChainKnown | undefined): string | undefined {
  if (chain === undefined) return undefined;
  const inferred = inferType(value, chain);
  if (inferred === 'return' && declared !== 'return')
    return `the receiver waits for this agent's return, so its type is return, not ${declared}`;
  return undefined;
}
