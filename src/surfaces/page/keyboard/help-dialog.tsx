import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { SHORTCUTS } from './shortcuts.ts';

export const HelpDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
      {SHORTCUTS.map(([keys, action]) => (
        <div key={keys} className="contents">
          <dt>
            <kbd className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-sm">{keys}</kbd>
          </dt>
          <dd>{action}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-3 text-sm text-muted">
      While you type in a field, only these shortcuts work: Esc in a dialog, and Esc, Ctrl K and ⌘ K in a search field.
    </p>
    <DialogButtons>
      <Button onClick={onClose}>Close</Button>
    </DialogButtons>
  </Dialog>
);
