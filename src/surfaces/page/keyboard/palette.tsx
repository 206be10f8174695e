import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useDeferredValue, useId, useLayoutEffect, useState } from 'react';
import { StartAgentDialog } from '../agents/dialogs/start-agent-dialog.tsx';
import { isLive } from '../agents/hand-off.ts';
import { useIsInFleet } from '../api/fleet-queries.ts';
import { agentSearchQuery, agentsQuery } from '../api/queries.ts';
import { classes } from '../parts/class-names.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { TextInput } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { HelpDialog } from './help-dialog.tsx';
import { type PaletteEntry, paletteEntries } from './palette-entries.ts';

interface Props {
  /** The text that the operator typed before the palette was shown. */
  readonly typed: RefObject<string>;
  readonly onShown: () => void;
  readonly onClose: () => void;
}

/** Finds agents, pages and actions by a few letters. */
export default function Palette({ typed, onShown, onClose }: Props) {
  const [text, setText] = useState(typed.current);
  useLayoutEffect(onShown, [onShown]);
  const [at, setAt] = useState(0);
  const listId = useId();
  const entries = useEntries(text);
  const choose = useChoose(onClose);
  const current = entries[Math.min(at, entries.length - 1)];
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, entries.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && current !== undefined) choose(current);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <TextInput
        autoFocus
        role="combobox"
        aria-label="Find an agent, a page or an action"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current && `${listId}-${current.key}`}
        placeholder="Agent, page or action"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id={listId} role="listbox" aria-label="Results" className="mt-3 max-h-[50dvh] overflow-y-auto">
        {entries.map((entry) => (
          <Line
            key={entry.key}
            id={`${listId}-${entry.key}`}
            entry={entry}
            isCurrent={entry === current}
            onChoose={choose}
          />
        ))}
      </div>
    </Dialog>
  );
}

/** The page already knows the live agents. The server searches the ended agents. */
function useEntries(text: string): readonly PaletteEntry[] {
  const wanted = useDeferredValue(text.trim());
  const { data: known = [] } = useQuery(agentsQuery);
  const { data: found = [] } = useQuery({ ...agentSearchQuery(wanted), enabled: wanted !== '' });
  const live = known.filter(isLive);
  const others = wanted === '' ? [] : found.filter(({ id }) => !live.some((agent) => agent.id === id));
  return paletteEntries([...live, ...others], text, useIsInFleet());
}

function useChoose(onClose: () => void): (entry: PaletteEntry) => void {
  const router = useRouter();
  const open = useDialogHost();
  return ({ to, action }) => {
    onClose();
    if (to !== undefined) router.history.push(to);
    // Open the dialog only after the palette has closed. A palette that closes later would take the focus away from the
    // dialog.
    else if (action === 'start') setTimeout(() => open((close) => <StartAgentDialog onClose={close} />));
    else setTimeout(() => open((close) => <HelpDialog onClose={close} />));
  };
}

const Line = ({
  id,
  entry,
  isCurrent,
  onChoose,
}: {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isCurrent: boolean;
  readonly onChoose: (entry: PaletteEntry) => void;
}) => (
  <button
    type="button"
    id={id}
    role="option"
    aria-selected={isCurrent}
    tabIndex={-1}
    ref={(element) => {
      if (isCurrent) element?.scrollIntoView({ block: 'nearest' });
    }}
    onClick={() => onChoose(entry)}
    className={classes(
      'flex w-full items-baseline gap-3 rounded-lg px-3 py-3 text-left md:py-1.5',
      isCurrent ? 'bg-accent-soft' : 'hover:bg-sunken',
    )}
  >
    <span className="min-w-0 font-medium wrap-anywhere">{visible(entry.title)}</span>
    <span className="min-w-0 flex-1 truncate text-sm text-muted">{visible(entry.note)}</span>
    <span className="shrink-0 text-xs text-muted max-sm:hidden">{entry.group}</span>
  </button>
);
