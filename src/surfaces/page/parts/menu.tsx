import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';
import { classes, MENU_BUTTON } from './class-names.ts';
import { visible } from './markdown/visible-text.ts';

/**
 * The action that the operator chose in the menu. It runs only after the menu has closed and has given the focus back.
 */
const Chosen = createContext<RefObject<(() => void) | null>>({ current: null });

/** The space between the menu and the edges of the window. At the bottom of a phone, the tab bar covers the page. */
function edges() {
  const bar = document.querySelector<HTMLElement>('[data-tab-bar]');
  const covered = bar !== null && getComputedStyle(bar).position === 'fixed' ? bar.offsetHeight : 0;
  return { top: 8, right: 8, bottom: 8 + covered, left: 8 };
}

/**
 * A menu that is not modal. A modal menu would lock scrolling with a style element, which the page's content security
 * policy refuses.
 */
export function Menu({
  label,
  isOpen = false,
  children,
}: {
  readonly label: string;
  /** True if the menu is open from the beginning. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  const chosen = useRef<(() => void) | null>(null);
  // Run the action only after the menu has closed. A dialog that opened earlier would take the focus from the menu, and
  // later give the focus back to a menu that no longer exists.
  const act = (): void => {
    const onSelect = chosen.current;
    chosen.current = null;
    if (onSelect !== null) setTimeout(onSelect);
  };
  return (
    <Dropdown.Root modal={false} defaultOpen={isOpen}>
      <Dropdown.Trigger aria-label={visible(label)} className={MENU_BUTTON}>
        <span aria-hidden="true">⋯</span>
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Items onClosed={act}>
          <Chosen value={chosen}>{children}</Chosen>
        </Items>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

const Items = ({ onClosed, children }: { readonly onClosed: () => void; readonly children: ReactNode }) => (
  <Dropdown.Content
    align="end"
    sideOffset={4}
    collisionPadding={edges()}
    onCloseAutoFocus={onClosed}
    // In a low window, such as one at a zoom of 200 %, the menu is as high as the window allows, and scrolls.
    className="scroll-shadows z-30 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-lg border border-line p-1 text-sm shadow-card"
  >
    {children}
  </Dropdown.Content>
);

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
        'flex min-h-[44px] items-center rounded-md px-3 py-2 outline-none md:min-h-0 data-[highlighted]:bg-sunken data-[disabled]:opacity-50',
        danger && 'text-red',
      )}
    >
      {children}
    </Dropdown.Item>
  );
}

export const MenuLine = () => <Dropdown.Separator className="my-1 h-px bg-line" />;
