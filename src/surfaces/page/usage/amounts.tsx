import type { Agent } from '../../../contract/resources.ts';

const EXACT = new Intl.NumberFormat('en-US');
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A number of tokens in short form. The exact number is in the tooltip. */
export const TokenCount = ({ count }: { readonly count: number }) => (
  <span className="tabular-nums" title={`${EXACT.format(count)} tokens`}>
    {SHORT.format(count)}
  </span>
);

export const exact = (count: number): string => EXACT.format(count);

export const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** The tokens that one agent has used so far, and their cost if the agent's client reports it. */
export function AgentTokens({
  usage,
  isBrief = false,
}: {
  readonly usage: Agent['usage'];
  readonly isBrief?: boolean;
}) {
  const { tokens = null, cost_usd: cost = null } = usage ?? {};
  if (tokens === null && cost === null)
    return isBrief ? null : <p className="mt-1.5 text-sm text-muted">Tokens: not reported by its client</p>;
  return (
    <p className="mt-1.5 text-sm text-muted">
      Tokens: {tokens === null ? 'not reported' : <TokenCount count={tokens.total} />}
      {!isBrief && tokens !== null && (
        <>
          {' '}
          (<TokenCount count={tokens.input} /> input, <TokenCount count={tokens.output} /> output,{' '}
          <TokenCount count={tokens.cache_read} /> from cache, <TokenCount count={tokens.cache_write} /> to cache)
        </>
      )}
      {cost !== null && <span title="Cost in US dollars, as reported by the agent's client"> · {dollars(cost)}</span>}
    </p>
  );
}
