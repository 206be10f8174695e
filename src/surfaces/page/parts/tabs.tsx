import * as RadixTabs from '@radix-ui/react-tabs';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { classes } from './class-names.ts';
import { FADE_PX, FADED, fadeEnds } from './scroll/fade-ends.ts';

export interface Tab {
  readonly value: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

/** Tabs. Only the content of the chosen tab is rendered. `aside` is shown at the end of the row of titles. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
  aside,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly aside?: ReactNode;
}) {
  const row = useRef<HTMLDivElement>(null);
  useShownTab(row, value);
  return (
    <RadixTabs.Root value={value} onValueChange={onChange}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4">
        {/* On a phone the titles stay in one row that scrolls. The row fades out where more titles follow. */}
        <RadixTabs.List
          ref={row}
          aria-label={label}
          onScroll={({ currentTarget }) => fadeEnds(currentTarget)}
          className={classes(FADED, '-mb-px -ml-2 flex min-w-0 gap-x-1 overflow-x-auto [scrollbar-width:none]')}
        >
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              className="shrink-0 border-b-2 border-transparent px-2 py-3 text-sm whitespace-nowrap focus-visible:-outline-offset-2 max-md:min-h-[44px] max-md:min-w-[44px] md:py-2.5 font-medium text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {tab.title}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="focus-visible:outline-offset-[-2px]">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

/**
 * Scrolls the row sideways until the chosen tab is visible, even after the tab's title has grown. Never scrolls
 * otherwise, so that the operator can scroll the row.
 */
function useShownTab(row: RefObject<HTMLDivElement | null>, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value decides which title is the active one
  useEffect(() => {
    const titles = row.current;
    const active = titles?.querySelector('[data-state="active"]') ?? null;
    if (titles === null || active === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { left, right } = active.getBoundingClientRect();
      const frame = titles.getBoundingClientRect();
      if (left < frame.left + FADE_PX) titles.scrollLeft += left - frame.left - FADE_PX;
      else if (right > frame.right - FADE_PX) titles.scrollLeft += right - frame.right + FADE_PX;
      fadeEnds(titles);
    });
    for (const each of [titles, active]) observer.observe(each);
    return () => observer.disconnect();
  }, [row, value]);
}
