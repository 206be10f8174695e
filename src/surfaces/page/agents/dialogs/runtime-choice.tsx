import { useId } from 'react';
import type { RuntimeInfo } from '../../../../contract/resources.ts';
import { classes } from '../../parts/class-names.ts';

/** Shows unavailable runtimes, too, with the reason, because hidden ones would look forgotten. */
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
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Agent type</legend>
      <div className="grid gap-2">
        {runtimes.map(({ id, title, standing_sentence, why_unavailable }) => (
          <label
            key={id}
            className={classes(
              'flex items-start gap-3 rounded-lg border px-3 py-2',
              chosen === id ? 'border-accent bg-accent-soft' : 'border-line-strong',
              why_unavailable !== null && 'bg-sunken',
            )}
          >
            <input
              type="radio"
              name={group}
              value={id}
              checked={chosen === id}
              disabled={why_unavailable !== null}
              onChange={() => onChoose(id)}
              className="mt-1 size-4 accent-accent"
            />
            <span className="min-w-0">
              <span className={classes('block', why_unavailable !== null && 'text-muted')}>{title}</span>
              {why_unavailable === null && standing_sentence !== null && (
                <span className="block text-sm text-muted">{standing_sentence}</span>
              )}
              {why_unavailable !== null && <span className="block text-sm text-muted">{why_unavailable}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
