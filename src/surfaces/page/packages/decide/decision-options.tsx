import { useId } from 'react';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { classes } from '../../parts/class-names.ts';
import { contentOf } from '../content/package-content.tsx';
import { Said } from '../content/said.tsx';
import { DECISION_OPTIONS, type DecisionOption } from './decision-draft.ts';

interface Props {
  readonly detail: PackageDetail;
  readonly chosen: DecisionOption | null;
  readonly onChoose: (option: DecisionOption) => void;
}

const WORDS: Readonly<Record<DecisionOption, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  question: 'Ask a question',
};

/**
 * The three options for a decision about a package. An option may have an explanation from the package itself. No
 * option is preselected.
 */
export function DecisionOptions({ detail, chosen, onChoose }: Props) {
  const group = useId();
  const texts = contentOf(detail).validation_request?.options ?? {};
  return (
    <fieldset className="@container mb-4">
      <legend className="mb-1.5 text-sm font-medium">Decision</legend>
      <div className="grid gap-2 @xl:grid-cols-3">
        {DECISION_OPTIONS.map((option) => (
          <label
            key={option}
            className={classes(
              'flex items-start gap-2.5 rounded-lg border bg-panel px-3 py-2.5 has-focus-visible:outline-2',
              option === chosen ? 'border-accent' : 'border-line-strong',
            )}
          >
            <input
              type="radio"
              name={group}
              value={option}
              checked={option === chosen}
              onChange={() => onChoose(option)}
              className="mt-1 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{WORDS[option]}</span>
              <Said text={texts[option] ?? meaning(option, detail)} className="block text-sm text-muted" />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Explains an option in general words, for a package that does not explain the option itself. */
function meaning(option: DecisionOption, { from, gate }: PackageDetail): string {
  if (option === 'reject') return `Ends the package. ${from} gets your reason.`;
  if (option === 'question') return `${from} answers, then you decide again.`;
  if (gate !== null) return 'The next step can start.';
  return `${from} gets your decision.`;
}
