import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { shortestColumns, tallest } from './shortest-columns.ts';

/** The height of a grid row and the gap between tiles, in pixels. A tile spans as many rows as its content needs. */
const ROW = 4;
const GAP = 16;

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** The minimum width of a column, in rem. */
  readonly minWidth: number;
  readonly label?: string;
  readonly children: (item: T) => ReactNode;
}

/**
 * Shows items of different heights in columns. Puts each item at the end of the column that is shortest so far, so that
 * no gaps appear below short items. No item begins above an earlier one, so the keyboard and a screen reader follow the
 * visible order.
 */
export function Tiles<T>({ items, keyOf, minWidth, label, children }: Props<T>) {
  const list = useRef<HTMLUListElement>(null);
  const columns = useColumns(list, minWidth);
  const places = usePlaces(list, columns, items.map(keyOf).join(' '));
  return (
    <ul
      ref={list}
      aria-label={label}
      className="grid grid-flow-row-dense gap-x-4"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gridAutoRows: ROW, marginBottom: -GAP }}
    >
      {items.map((item, index) => (
        <Tile key={keyOf(item)} column={places[index] ?? (index % columns) + 1}>
          {children(item)}
        </Tile>
      ))}
    </ul>
  );
}

function Tile({ column, children }: { readonly column: number; readonly children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => (content.current === null ? undefined : keepSpan(content.current)), []);
  return (
    <li className="min-w-0" style={{ gridColumnStart: column }}>
      <div ref={content}>{children}</div>
    </li>
  );
}

/**
 * One observer for all tiles. The observer runs before the browser paints, so no tile is ever visible in a wrong place.
 */
const observer =
  typeof ResizeObserver === 'undefined'
    ? null
    : new ResizeObserver((entries) => {
        for (const { target, contentRect } of entries)
          if (target.parentElement !== null)
            target.parentElement.style.gridRowEnd = `span ${Math.ceil((contentRect.height + GAP) / ROW)}`;
      });

function keepSpan(content: HTMLElement): () => void {
  observer?.observe(content);
  return () => observer?.unobserve(content);
}

/**
 * The minimum number of pixels by which the list must become shorter before tiles move to other columns after a change
 * of heights.
 */
const WORTH_MOVING_PX = 100;

/** The minimum height in pixels of a tile whose content has been loaded. A tile with less height is still loading. */
const LOADED_PX = 24;

/**
 * Returns the column of each tile. The columns are chosen again if the tiles or their order change, if a tile has
 * loaded its content, or if a new choice would make the list much shorter.
 */
function usePlaces(list: { readonly current: HTMLElement | null }, columns: number, keys: string): readonly number[] {
  const [places, setPlaces] = useState<readonly number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keys` changes when the tiles of the list change
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    let chosen: readonly number[] = [];
    let unloaded = 0;
    const choose = (): void => {
      const heights = [...element.children].map((tile) => (tile.firstElementChild?.clientHeight ?? 0) + GAP);
      const best = shortestColumns(heights, columns);
      const stillUnloaded = heights.filter((height) => height < LOADED_PX + GAP).length;
      const isFree = chosen.length !== heights.length || stillUnloaded < unloaded;
      unloaded = stillUnloaded;
      if (!isFree && tallest(heights, chosen) - tallest(heights, best) < WORTH_MOVING_PX) return;
      chosen = best;
      setPlaces(best);
    };
    choose();
    const resized = new ResizeObserver(choose);
    resized.observe(element);
    for (const { firstElementChild } of element.children)
      if (firstElementChild !== null) resized.observe(firstElementChild);
    return () => resized.disconnect();
  }, [list, columns, keys]);
  return places;
}

/** Returns how many columns of at least the width `minWidth` fit into the list. */
function useColumns(list: { readonly current: HTMLElement | null }, minWidth: number): number {
  const [columns, setColumns] = useState(1);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = (): void => {
      const least = minWidth * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setColumns(Math.max(1, Math.floor((element.clientWidth + GAP) / (least + GAP))));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [list, minWidth]);
  return columns;
}
