import type { ReactNode } from 'react';
import type { Tone } from '../../../contract/words/tone.ts';
import { classes } from './class-names.ts';

export type { Tone };

const LOOK: Readonly<Record<Tone, string>> = {
  blue: 'bg-blue-soft text-blue',
  green: 'bg-green-soft text-green',
  amber: 'bg-amber-soft text-amber',
  red: 'bg-red-soft text-red',
  violet: 'bg-violet-soft text-violet',
  grey: 'bg-sunken text-muted',
};

/** A colored badge. The word on the badge has the meaning, and the color only supports the word. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span
    className={classes('inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium', LOOK[tone])}
  >
    <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
    {children}
  </span>
);
