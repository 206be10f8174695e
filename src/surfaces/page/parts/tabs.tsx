import * as RadixTabs from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

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
  return (
    <RadixTabs.Root value={value} onValueChange={onChange}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4">
        {/* On a phone the titles stay in one row that scrolls. */}
        <RadixTabs.List
          aria-label={label}
          className="-mb-px -ml-1 flex min-w-0 gap-x-3 overflow-x-auto [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              className="border-b-2 border-transparent px-1 py-3 text-sm whitespace-nowrap focus-visible:-outline-offset-2 md:py-2.5 font-medium text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
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
