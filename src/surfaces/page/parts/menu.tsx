import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';
import { classes } from './class-names.ts';
import { visible } from './markdown/visible-text.ts';

/** The chosen action, which runs after the menu has returned the focus. */
const Chosen = createContext<RefObject<(() => void) | null>>({ current: null });

/** Not modal, because a modal menu locks scrolling with a style element that our content security policy refuses. */
export function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const chosen = useRef<(() => void) | null>(null);
  // Acts after the menu has closed; a dialog opened earlier would return the focus to the closed menu.
  const act = (): void => {
    const onSelect = chosen.current;
    chosen.current = null;
    if (onSelect !== null) setTimeout(onSelect);
  };
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger
        aria-label={visible(label)}
        className="inline-flex size-8 items-center justify-center rounded-lg border border-transparent text-lg text-muted hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken"
      >
        <span aria-hidden="true">⋯</span>
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align="end"
          sideOffset={4}
          onCloseAutoFocus={act}
          className="z-30 min-w-52 rounded-lg border border-line bg-panel p-1 text-sm shadow-card"
        >
          <Chosen value={chosen}>{children}</Chosen>
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export function MenuItem({
  onSelect,
  danger,
  disabled,
  children,
}: {
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}) {
  const chosen = useContext(Chosen);
  return (
    <Dropdown.Item
      disabled={disabled ?? false}
      onSelect={() => {
        chosen.current = onSelect;
      }}
      className={classes(
        'rounded-md px-3 py-2 outline-none data-[highlighted]:bg-sunken data-[disabled]:opacity-50',
        danger && 'text-red',
      )}
    >
      {children}
    </Dropdown.Item>
  );
}

export const MenuLine = () => <Dropdown.Separator className="my-1 h-px bg-line" />;
