import { classes } from '../../parts/class-names.ts';
import { visible } from '../../parts/markdown/visible-text.ts';

/** What somebody wrote, as text and nothing else: with its lines, and with whatever could hide in it made visible. */
export const Said = ({ text, className }: { readonly text: string; readonly className?: string }) => (
  <span className={classes('wrap-anywhere whitespace-pre-wrap', className)}>{visible(text)}</span>
);
