import { CopyButton } from '../copy-button.tsx';
import { Fold } from '../fold.tsx';
import { visible } from '../markdown/visible-text.ts';
import { splitCommands } from './split-commands.ts';

/**
 * Shows a hint of the server without its commands. The commands are in a folded list, from which the operator can copy
 * them.
 */
export function Hint({ text, className }: { readonly text: string; readonly className?: string }) {
  const { prose } = splitCommands(text);
  return (
    <>
      {prose !== '' && <p className={className}>{visible(prose)}</p>}
      <HintCommands text={text} />
    </>
  );
}

/** The commands of a hint, folded; shows nothing for a hint without a command. */
export function HintCommands({ text }: { readonly text: string }) {
  const { commands } = splitCommands(text);
  if (commands.length === 0) return null;
  return (
    <Fold summary="Commands for the terminal">
      <ul className="mb-1 text-sm">
        {commands.map(({ label, command }) => (
          <li key={command} className="flex flex-wrap items-center justify-between gap-x-3">
            <span className="min-w-0 wrap-anywhere">{visible(label || command)}</span>
            <CopyButton text={command} what={`command: ${label || command}`} />
          </li>
        ))}
      </ul>
    </Fold>
  );
}
