import { dropTail } from '../../../../contract/words/drop-tail.ts';

export interface SplitHint {
  /** The sentences of the hint that contain no command. */
  readonly prose: string;
  readonly commands: readonly { readonly label: string; readonly command: string }[];
}

/** Matches the borders between the parts of a hint: the end of a sentence, a semicolon, ", or", and parentheses. */
const BORDER = /(?<=[.;]) |, or | \(|\)/;

/**
 * Separates the commands from a hint of the server. The page has buttons for most commands, so it shows the sentences
 * and offers the commands only for copying.
 */
export function splitCommands(hint: string): SplitHint {
  if (!/\bbaton [a-z]/.test(hint)) return { prose: hint, commands: [] };
  const prose: string[] = [];
  const commands: { label: string; command: string }[] = [];
  for (const part of hint.split(BORDER)) {
    const at = part.search(/\bbaton [a-z]/);
    if (at < 0) prose.push(part);
    else commands.push({ label: labelIn(part.slice(0, at)), command: dropTail(part.slice(at), '.;,') });
  }
  return { prose: prose.filter((part) => /\w/.test(part)).join(' '), commands };
}

function labelIn(text: string): string {
  const label = dropTail(text, ': ').trim();
  return label.charAt(0).toUpperCase() + label.slice(1);
}
