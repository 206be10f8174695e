export interface Tier {
  readonly name: 'fine' | 'warn' | 'high' | 'handoff';
  /**
   * The lower and the upper limit of a tier, in percent of context use. Only the last tier includes its upper limit.
   */
  readonly from: number;
  readonly to: number;
}

const WARN_FROM = 65;
const HIGH_FROM = 75;

/** Returns the tiers of context use. Leaves out a warning tier if it would begin at or above the handoff threshold. */
export function contextTiers(handoffAt: number): readonly Tier[] {
  const tiers: readonly Tier[] = [
    { name: 'fine', from: 0, to: Math.min(WARN_FROM, handoffAt) },
    { name: 'warn', from: WARN_FROM, to: Math.min(HIGH_FROM, handoffAt) },
    { name: 'high', from: HIGH_FROM, to: handoffAt },
    { name: 'handoff', from: handoffAt, to: 100 },
  ];
  return tiers.filter(({ name, from, to }) => name === 'handoff' || from < to);
}
