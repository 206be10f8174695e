import type { ReactNode } from 'react';
import { visible } from '../../parts/markdown/visible-text.ts';
import { FindingsAt, useFindingsAt } from './finding-notes.tsx';

interface PartProps {
  readonly title: string;
  readonly place: string;
  /**
   * The content of this part of the package. A part without content is hidden, unless the lint has findings about it.
   */
  readonly value: unknown;
  readonly children: ReactNode;
}

export function Part({ title, place, value, children }: PartProps) {
  const isTold = useFindingsAt(place).length > 0;
  if (value === undefined && !isTold) return null;
  const isNone = Array.isArray(value) && value.length === 0;
  return (
    <section
      aria-label={title}
      data-place={place}
      className="gap-x-6 px-4 py-3 md:grid md:grid-cols-[9rem_minmax(0,1fr)]"
    >
      <h3 className="mb-1 text-sm font-semibold text-muted">{title}</h3>
      <div className="min-w-0">
        {value === undefined || isNone ? <p className="text-muted">{isNone ? 'None.' : 'Not specified.'}</p> : children}
        <FindingsAt place={place} />
      </div>
    </section>
  );
}

interface ItemsProps<T> {
  readonly title: string;
  readonly place: string;
  readonly items: readonly T[] | undefined;
  readonly show: (item: T, index: number) => ReactNode;
  readonly note?: ReactNode;
}

export function Items<T>({ title, place, items, show, note }: ItemsProps<T>) {
  return (
    <Part title={title} place={place} value={items}>
      <ul className="flex flex-col gap-2.5">
        {items?.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of one revision never change their places
          <li key={index} data-place={`${place}/${index}`}>
            {show(item, index)}
            <FindingsAt place={`${place}/${index}`} />
          </li>
        ))}
      </ul>
      {note}
    </Part>
  );
}

export const LocalId = ({ id }: { readonly id: string }) => (
  <code className="mr-2 rounded bg-sunken px-1.5 font-mono text-[0.8rem] break-all text-muted">{visible(id)}</code>
);

export type Named = string | { readonly id: string; readonly text: string };

/**
 * Returns the id by which an acknowledgment names the item. If the item has no id of its own, the id is made from the
 * item's position.
 */
export const idOf = (item: Named, index: number, letter: string): string =>
  typeof item === 'string' ? `${letter}-${String(index + 1).padStart(3, '0')}` : item.id;
export const textOf = (item: Named): string => (typeof item === 'string' ? item : item.text);
