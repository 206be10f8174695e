import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { Button } from '../../parts/button.tsx';
import { Said } from '../content/said.tsx';
import { openItems } from './decision-draft.ts';

interface Props {
  readonly detail: PackageDetail;
  readonly chosen: readonly number[];
  readonly onChoose: (items: readonly number[]) => void;
}

/**
 * Lets a person approve the items of a gate one by one. The gate counts as approved after all items are approved. For a
 * gate with one item, no choice is shown.
 */
export function ItemsToApprove({ detail, chosen, onChoose }: Props) {
  const items = detail.gate?.items ?? [];
  const open = openItems(detail);
  if (items.length < 2) return null;
  const toggle = (index: number): void =>
    onChoose(
      chosen.includes(index) ? chosen.filter((each) => each !== index) : [...chosen, index].sort((a, b) => a - b),
    );
  return (
    <fieldset className="mb-4">
      <legend className="mb-1.5 text-sm font-medium">Approved items</legend>
      <ul className="flex flex-col gap-1.5">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is identified by its position
          <li key={index}>
            <label className="flex items-start gap-2.5 rounded-lg bg-panel px-3 py-[11px] md:py-2">
              <input
                type="checkbox"
                disabled={!open.includes(index)}
                checked={!open.includes(index) || chosen.includes(index)}
                onChange={() => toggle(index)}
                className="mt-1 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <Said text={item} />
                {!open.includes(index) && <span className="text-sm text-green"> · already approved</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {open.length > 1 && (
        <Button small kind="quiet" className="mt-1" onClick={() => onChoose(open)}>
          Select all {open.length} items
        </Button>
      )}
    </fieldset>
  );
}
