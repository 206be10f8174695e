import { classes } from '../../parts/class-names.ts';
import { visible } from '../../parts/markdown/visible-text.ts';

/** Shows text as plain text: with its line breaks, and with hidden characters made visible. */
export const Said = ({ text, className }: { readonly text: string; readonly className?: string }) => (
  <span className={classes('wrap-anywhere whitespace-pre-wrap', className)}>{visible(text)}</span>
);
