import { useId } from 'react';
import type { RuntimeInfo } from '../../../../contract/resources.ts';
import { CAPABILITIES, CAPABILITY_WORDS } from '../../../../contract/words/capability-words.ts';
import { classes } from '../../parts/class-names.ts';
import { Fold } from '../../parts/fold.tsx';

/** Returns the abilities that an agent type lacks, in words. */
const lackedBy = (capabilities: RuntimeInfo['capabilities']): readonly string[] =>
  capabilities === undefined
    ? []
    : CAPABILITIES.filter((each) => !capabilities[each]).map((each) => CAPABILITY_WORDS[each]);

/**
 * Lets the operator choose a runtime. Unavailable runtimes are in a folded list with the reason, so that the operator
 * does not wonder why a runtime is missing.
 */
export function RuntimeChoice({
  runtimes,
  chosen,
  onChoose,
}: {
  readonly runtimes: readonly RuntimeInfo[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}) {
  const group = useId();
  const missing = runtimes.filter(({ why_unavailable }) => why_unavailable !== null);
  const shown = runtimes.find(({ id }) => id === chosen);
  const lacked = lackedBy(shown?.capabilities);
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Agent type</legend>
      <div className="grid gap-2">
        {runtimes
          .filter((runtime) => !missing.includes(runtime))
          .map(({ id, title, standing_sentence }) => (
            <label
              key={id}
              className={classes(
                'flex items-start gap-3 rounded-lg border px-3 py-[11px] md:py-2',
                chosen === id ? 'border-accent bg-accent-soft' : 'border-line-strong',
              )}
            >
              <input
                type="radio"
                name={group}
                value={id}
                checked={chosen === id}
                onChange={() => onChoose(id)}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="block">{title}</span>
                {standing_sentence !== null && <span className="block text-sm text-muted">{standing_sentence}</span>}
              </span>
            </label>
          ))}
      </div>
      {shown !== undefined && lacked.length > 0 && (
        <Fold
          summary={`${lacked.length === 1 ? '1 feature' : `${lacked.length} features`} not supported by ${shown.title}`}
          className="mt-1"
        >
          <ul className="list-disc space-y-1 pl-9 text-sm text-muted">
            {lacked.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Fold>
      )}
      {missing.length > 0 && (
        // If no agent type is available, the list with the reasons is open from the beginning.
        <Fold
          summary={`Not available: ${missing.map(({ title }) => title).join(', ')}`}
          open={missing.length === runtimes.length}
          className="mt-1"
        >
          <ul className="space-y-1 text-sm text-muted">
            {missing.map(({ id, why_unavailable }) => (
              <li key={id} className="wrap-anywhere">
                {why_unavailable}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </fieldset>
  );
}
