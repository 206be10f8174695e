import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

/** Arrow keys move between the titles, the Tab key into what is shown. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}) {
  return (
    <Radix.Root value={chosen} onValueChange={(name) => onChoose(name as Name)}>
      <Radix.List aria-label={label} className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ name, title }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="-mb-px inline-flex min-h-10 items-center gap-2 rounded-t-md border-b-2 border-transparent px-3 whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
          >
            {title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} tabIndex={-1} className="outline-none">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
