import { type KeyboardEvent, lazy, Suspense, useState } from 'react';
import type { Agent } from '../../../../contract/resources.ts';
import { MENU_BUTTON } from '../../parts/class-names.ts';
import { visible } from '../../parts/markdown/visible-text.ts';

const load = () => import('./agent-menu.tsx');
const AgentMenu = lazy(async () => ({ default: (await load()).AgentMenu }));

/**
 * Opens the menu of an agent. Loads the menu only when the pointer or the focus reaches the button: its code is large,
 * and a page with 200 agents would otherwise contain 200 menus.
 */
export function AgentMenuButton({ agent }: { readonly agent: Agent }) {
  const label = `More actions for ${agent.label}, agent ${agent.id}`;
  const [isWanted, setWanted] = useState(false);
  const openWithArrow = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    setWanted(true);
  };
  const button = (
    <button
      type="button"
      aria-label={visible(label)}
      aria-haspopup="menu"
      aria-expanded={false}
      className={MENU_BUTTON}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onKeyDown={openWithArrow}
      onClick={() => setWanted(true)}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AgentMenu agent={agent} label={label} />
    </Suspense>
  );
}
