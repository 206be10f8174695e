import type { MessageVerdict } from '../../../contract/requests.ts';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';

const LOOK = {
  accepted: 'bg-green-soft text-green',
  refused: 'bg-red-soft text-red',
  unconfirmed: 'bg-amber-soft text-amber',
} as const;

/** Shows the verdict on a text typed to an agent, in the server's words. */
export const VerdictNote = ({ verdict }: { readonly verdict: MessageVerdict | null }) => (
  <div aria-live="polite">
    {verdict !== null && (
      <p className={classes('mt-2 rounded-lg px-3 py-2 text-sm wrap-anywhere', LOOK[verdict.verdict])}>
        <strong className="capitalize">{verdict.verdict}.</strong> {visible(verdict.sentence)}
      </p>
    )}
  </div>
);
