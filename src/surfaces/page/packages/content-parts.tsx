import type { ReactNode } from 'react';
import { visible } from '../parts/visible-text.ts';
import { FindingsAt } from './finding-notes.tsx';

interface PartProps {
  readonly title: string;
  readonly place: string;
  /** Shown all the same: what is missing is told there. */
  readonly isEmpty?: boolean;
  readonly children: ReactNode;
}

export const Part = ({ title, place, isEmpty, children }: PartProps) => (
  <section
    aria-label={title}
    data-place={place}
    className="gap-x-6 px-4 py-3 md:grid md:grid-cols-[9rem_minmax(0,1fr)]"
  >
    <h3 className="mb-1 text-sm font-semibold text-muted">{title}</h3>
    <div className="min-w-0">
      {isEmpty ? <p className="text-muted">None.</p> : children}
      <FindingsAt place={place} />
    </div>
  </section>
);

interface ItemsProps<T> {
  readonly title: string;
  readonly place: string;
  readonly items: readonly T[];
  readonly show: (item: T, index: number) => ReactNode;
  readonly note?: ReactNode;
}

export function Items<T>({ title, place, items, show, note }: ItemsProps<T>) {
  return (
    <Part title={title} place={place} isEmpty={items.length === 0}>
      <ul className="flex flex-col gap-2.5">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what stands in one revision never changes its place
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

/** As an acknowledgement names them: what has no id is known by its place. */
export const idOf = (item: Named, index: number, letter: string): string =>
  typeof item === 'string' ? `${letter}-${String(index + 1).padStart(3, '0')}` : item.id;
export const textOf = (item: Named): string => (typeof item === 'string' ? item : item.text);
