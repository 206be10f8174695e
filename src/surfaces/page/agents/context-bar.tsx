import type { Agent } from '../../../contract/resources.ts';
import { classes } from '../parts/class-names.ts';
import { isLive } from './hand-off.ts';

const TIERS = {
  fine: { color: 'bg-accent', word: '' },
  warn: { color: 'bg-amber', word: 'filling up' },
  high: { color: 'bg-amber', word: 'nearly full' },
  handoff: { color: 'bg-red', word: 'time to hand over' },
} as const;

/** The look of the context bar of an ended agent. The bar shows no warning, because an ended agent needs no handoff. */
const PAST = { color: 'bg-line-strong', word: '' };

const thousands = (tokens: number): string => `${Math.round(tokens / 1000)}k`;

/** The context use, in percent of the context size at which the agent's client compacts. */
export function ContextBar({ agent }: { readonly agent: Agent }) {
  const { context } = agent;
  if (context === null) return <p className="text-sm text-muted">Context use not reported yet</p>;
  const { color, word } = isLive(agent) ? TIERS[context.tier] : PAST;
  const percent = Math.round(context.used_percent);
  const tokens =
    context.used_tokens === null || context.window_tokens === null
      ? ''
      : `${thousands(context.used_tokens)} of ${thousands(context.window_tokens)} tokens`;
  return (
    <div>
      <div className="mb-1 flex items-baseline justify-between gap-2 text-sm">
        <span className="text-muted">
          Context{word !== '' && <strong className="font-medium text-ink"> · {word}</strong>}
        </span>
        <span className="tabular-nums" title={tokens}>
          {percent} %
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: each browser draws <meter> in its own colors, without our tiers */}
      <div
        role="meter"
        aria-label="Context use"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${percent} percent${word === '' ? '' : `, ${word}`}`}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className={classes('h-full rounded-full', color)} style={{ width: `${Math.min(percent, 100)}%` }} />
      </div>
    </div>
  );
}
