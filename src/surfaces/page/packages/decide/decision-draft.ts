import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';

export const DECISION_OPTIONS = ['approve', 'reject', 'question'] as const;
export type DecisionOption = (typeof DECISION_OPTIONS)[number];

/**
 * The decision as the operator has filled it in so far. At first no option is chosen, so that the operator cannot
 * approve by accident.
 */
export interface DecisionDraft {
  readonly option: DecisionOption | null;
  readonly items: readonly number[];
  readonly reason: string;
  /** The operator's answer, if an escalation asks for a choice between alternatives. */
  readonly choice: string;
  /** The conditions of an approval as typed, one per line. */
  readonly conditions: string;
}

export const NOTHING_CHOSEN: DecisionDraft = { option: null, items: [], reason: '', choice: '', conditions: '' };

/**
 * Clears the option and the items after the content has changed, because the operator chose them for the earlier
 * content. Keeps the typed text, because the text may still be right.
 */
export const chosenAnew = ({ reason, choice, conditions }: DecisionDraft): DecisionDraft => ({
  ...NOTHING_CHOSEN,
  reason,
  choice,
  conditions,
});

export type Judged =
  | { readonly kind: 'ready'; readonly body: DecisionBody }
  | { readonly kind: 'unfinished'; readonly field: 'option' | 'items' | 'reason' | 'choice'; readonly problem: string };

export interface DecisionBody {
  readonly option: DecisionOption;
  readonly seen: string;
  readonly reason?: string;
  readonly choice?: string;
  readonly conditions?: readonly string[];
  readonly items?: readonly number[];
}

type Decided = Pick<PackageDetail, 'gate' | 'seen'>;

/** The gate's items that are not approved yet. */
export const openItems = ({ gate }: Pick<PackageDetail, 'gate'>): readonly number[] =>
  (gate?.items ?? []).map((_, index) => index).filter((index) => !gate?.approved.includes(index));

const unfinished = (field: 'option' | 'items' | 'reason' | 'choice', problem: string): Judged => ({
  kind: 'unfinished',
  field,
  problem,
});

/**
 * The package that the decision is about. `asksChoice` is true if the package asks the operator to choose between
 * alternatives.
 */
interface DecidedAbout extends Decided {
  readonly asksChoice?: boolean;
}

export function validateDraft(draft: DecisionDraft, about: DecidedAbout): Judged {
  const { option, items, reason, choice, conditions } = draft;
  if (option === null) return unfinished('option', 'Choose an option first: approve, reject or ask a question.');
  const words = reason.trim();
  if (option !== 'approve' && words === '')
    return unfinished('reason', option === 'reject' ? 'Enter the reason for the rejection.' : 'Enter your question.');
  const body = { option, seen: about.seen ?? '', ...(words === '' ? {} : { reason: words }) };
  if (option !== 'approve') return { kind: 'ready', body };
  if (about.asksChoice && words === '' && choice.trim() === '')
    return unfinished('choice', 'Enter your choice, because the package asks for one.');
  const open = openItems(about);
  // Approve the only open item of a gate together with the gate, without a choice by the operator.
  const ticked = open.length === 1 ? open : items.filter((item) => open.includes(item));
  if (open.length > 0 && ticked.length === 0) return unfinished('items', 'Select the items that you approve.');
  const lines = conditions
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return {
    kind: 'ready',
    body: {
      ...body,
      ...(choice.trim() === '' ? {} : { choice: choice.trim() }),
      ...(lines.length === 0 ? {} : { conditions: lines }),
      ...(open.length === 0 ? {} : { items: ticked }),
    },
  };
}

/**
 * Returns the button's label. If the operator approves only some of the gate's items, the label says how many, because
 * the gate then stays open.
 */
export function buttonWords({ option, items }: DecisionDraft, about: Decided): string {
  if (option === null) return 'Send decision';
  if (option === 'reject') return 'Reject package';
  if (option === 'question') return 'Send question';
  const open = openItems(about).length;
  return items.length > 0 && items.length < open ? `Approve ${items.length} of ${open} items` : 'Approve package';
}

/**
 * Returns a sentence for each difference between the package as the page first showed it and the package as it is now.
 */
export function whatChanged(before: PackageDetail, now: PackageDetail): readonly string[] {
  const paths = new Set([...Object.keys(before.artifacts), ...Object.keys(now.artifacts)]);
  const changed = [...paths].filter((path) => before.artifacts[path] !== now.artifacts[path]);
  const revision = before.revision === now.revision ? [] : [`new revision: ${now.revision}`];
  return [...revision, ...changed.map((path) => `${path} has changed`)];
}
