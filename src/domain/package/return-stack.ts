import { type Instant, msBetween } from '../instant.ts';
import type { PackageType } from './package.ts';

/** What the log says of the packages of one chain, oldest first. Never what an agent says about itself. */
export type ChainEvent =
  | {
      readonly type: 'accepted';
      readonly handoff: string;
      readonly kind: PackageType;
      readonly from: string;
      readonly to: string;
      readonly at: Instant;
      /** Hashes of the artifacts that came with it. */
      readonly artifacts: readonly string[];
    }
  /** Completed, failed, expired or declined: whichever, its caller has it back. */
  | { readonly type: 'over'; readonly handoff: string };

export interface Frame {
  readonly handoff: string;
  readonly caller: string;
  /** Who has it now: within a delegation the work may move on, and the return still goes to the first caller. */
  readonly callee: string;
  readonly depth: number;
}

export interface ChainLimits {
  readonly depth: number;
  readonly hops: number;
  /** The same pair in the same direction without a new artifact. */
  readonly bounces: number;
  readonly betweenContinuationsMs: number;
}

const DEFAULT_CHAIN_LIMITS: ChainLimits = {
  depth: 3,
  hops: 20,
  bounces: 3,
  betweenContinuationsMs: 2 * 60_000,
};

type Accepted = Extract<ChainEvent, { type: 'accepted' }>;

/** P23 */
export function openFrames(log: readonly ChainEvent[]): readonly Frame[] {
  const frames: Frame[] = [];
  for (const event of log) {
    if (event.type === 'over') close(frames, event.handoff);
    else pass(frames, event);
  }
  return frames;
}

/** What was delegated further from there is over as well. */
function close(frames: Frame[], over: string): void {
  const at = frames.findIndex(({ handoff }) => handoff === over);
  if (at !== -1) frames.splice(at);
}

function pass(frames: Frame[], { kind, handoff, from, to }: Accepted): void {
  const top = frames.at(-1);
  if (kind === 'delegation' || kind === 'escalation')
    frames.push({ handoff, caller: from, callee: to, depth: frames.length + 1 });
  else if (top === undefined || from !== top.callee) return;
  else if (kind === 'return' && to === top.caller) frames.pop();
  else if (kind === 'sequential') frames.splice(-1, 1, { ...top, callee: to });
}

export interface Wanted {
  readonly kind: PackageType;
  readonly from: string;
  readonly to: string;
  readonly at: Instant;
  readonly artifacts: readonly string[];
}

/** P24. Why the package may not be passed on; null: it may. */
export function chainLimit(
  log: readonly ChainEvent[],
  wanted: Wanted,
  limits: ChainLimits = DEFAULT_CHAIN_LIMITS,
): string | null {
  // Back to the caller and up to a person it may always go: both end what the limits are about.
  if (wanted.kind === 'return' || wanted.to === 'human') return null;
  const passed = log.filter((event): event is Accepted => event.type === 'accepted');
  const frames = openFrames(log);
  // A continuation stays with whoever has it.
  const hops = passed.filter(({ kind }) => kind !== 'continuation').length;
  if (hops >= limits.hops) return `The chain has ${hops} hops already, and ${limits.hops} are allowed.`;
  if (wanted.kind === 'delegation' && frames.length >= limits.depth)
    return `The delegation would be ${frames.length + 1} deep, and ${limits.depth} are allowed.`;
  if (wanted.kind === 'delegation' && frames.some(({ caller, callee }) => caller === wanted.to || callee === wanted.to))
    return `${wanted.to} is part of this very delegation already: it would go in a circle.`;
  if (bounces(passed, wanted) >= limits.bounces)
    return `${wanted.from} and ${wanted.to} have passed it to and fro ${limits.bounces} times without anything new.`;
  return tooSoon(passed, wanted, limits);
}

/** How often the same pair went the same way since the last new artifact. */
function bounces(passed: readonly Accepted[], wanted: Wanted): number {
  const seen = new Set<string>();
  let count = 0;
  for (const { from, to, artifacts } of [...passed, wanted]) {
    const isNew = artifacts.some((hash) => !seen.has(hash));
    for (const hash of artifacts) seen.add(hash);
    if (isNew) count = 0;
    if (from === wanted.from && to === wanted.to) count++;
  }
  return count - 1;
}

function tooSoon(passed: readonly Accepted[], wanted: Wanted, limits: ChainLimits): string | null {
  if (wanted.kind !== 'continuation') return null;
  const last = passed.filter(({ kind, to }) => kind === 'continuation' && to === wanted.to).at(-1);
  if (last === undefined || msBetween(last.at, wanted.at) >= limits.betweenContinuationsMs) return null;
  return `${wanted.to} was continued less than ${limits.betweenContinuationsMs / 1000} s ago.`;
}
