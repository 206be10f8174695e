import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, DeliveryOutcome, ScreenReader, Terminal } from '../../src/app/ports/terminal.ts';
import { judgeReceipt, type Verdict } from './judge-receipt.ts';
import type { Plant } from './plant.ts';
import type { PracticeAgent } from './practice-agent.ts';
import type { Sample } from './texts.ts';

/** One delivery with Baton's verdict, and the agent whose log shows what really happened. */
export interface Trial {
  readonly profile: string;
  readonly sample: Sample;
  readonly agent: PracticeAgent;
  readonly deliverable: boolean;
  /**
   * True if an obstacle, such as a dialog or a draft, was there before the paste. In this case no byte may reach the
   * pane.
   */
  readonly mustStaySilent: boolean;
  readonly allowedReasons: readonly string[];
  readonly verdict: Verdict;
  readonly detail: string;
  readonly typedBytes: number;
  readonly ms: number;
  /** True if the tmux server crashed during the trial. */
  readonly crashedServer?: boolean;
}

export interface TrialPlan {
  readonly profile: string;
  readonly plant: Plant;
  readonly agent: PracticeAgent;
  readonly sample: Sample;
  /** The reasons for which Baton may refuse the delivery. Undefined if Baton must deliver the text. */
  readonly obstacle?: readonly string[];
  /**
   * True if the obstacle (such as a dialog or a draft) can appear after the paste. Bytes that reach the pane are then
   * no failure.
   */
  readonly obstacleComesLate?: boolean;
  readonly reader?: ScreenReader;
  readonly waitReceiptMs?: number;
  /**
   * If set, the trial calls this function instead of calling `deliver` once, for example to deliver before and after a
   * crash.
   */
  readonly act?: (delivery: Delivery) => Promise<DeliveryOutcome>;
  /** Another agent in the same tmux server. If it gets any byte, Baton typed into the wrong pane. */
  readonly bystander?: PracticeAgent;
}

const REFUSED_SETTLE_MS = 40;
/**
 * The time limit for the receipts of one prompt: the hooks and transcript lines that show what became of the prompt.
 * The limit is much longer than the slowest client of the bench needs, even on a loaded machine.
 */
const RECEIPT_MS = 6000;

export async function tryDelivery(plan: TrialPlan): Promise<Trial> {
  const { agent, sample, obstacle, bystander, obstacleComesLate = false } = plan;
  const { text, expected } = sample;
  const { waitReceiptMs = obstacle === undefined ? RECEIPT_MS : 250, reader = agent.reader } = plan;
  const delivery: Delivery = { id: randomUUID(), kind: 'prompt', text, reader, waitReadyMs: 15_000 };
  const bytes = () => agent.foreignBytes() + (bystander?.foreignBytes() ?? 0);
  const before = bytes();
  const watch = agent.watchFor(expected);
  const began = performance.now();
  const outcome = await (plan.act ?? ((asked) => attempt(agent.terminal, agent, asked)))(delivery);
  const receipts = outcome.verdict === 'refused' ? watch.receipts() : await watch.awaitReceipts(waitReceiptMs);
  const ms = performance.now() - began;
  if (outcome.verdict === 'refused') await sleep(REFUSED_SETTLE_MS);
  return {
    profile: plan.profile,
    sample,
    agent,
    deliverable: obstacle === undefined,
    mustStaySilent: obstacle !== undefined && !obstacleComesLate,
    allowedReasons: obstacle ?? [],
    verdict: judgeReceipt(outcome, receipts, plan.plant === 'hook_alone'),
    detail: 'detail' in outcome ? outcome.detail : `${outcome.enters} Enters`,
    typedBytes: bytes() - before,
    ms,
  };
}

/** Count an error as a refusal, because `deliver` throws only before it has typed anything. */
export async function attempt(terminal: Terminal, agent: PracticeAgent, delivery: Delivery): Promise<DeliveryOutcome> {
  try {
    return await terminal.deliver(agent.pane, delivery);
  } catch (error) {
    return { verdict: 'refused', reason: 'busy', detail: `fault: ${error instanceof Error ? error.message : error}` };
  }
}

/**
 * Returns a reader of the client's screen that calls `act` when it sees a ready composer for the first time, so that
 * `act` runs between Baton's check and Baton's paste.
 */
export function atReady(reader: ScreenReader, act: () => void): ScreenReader {
  let done = false;
  return {
    ...reader,
    readScreen: (screen) => {
      const state = reader.readScreen(screen);
      if (state.kind === 'ready' && !done) {
        done = true;
        act();
      }
      return state;
    },
  };
}

/**
 * Returns a screen reader that calls `act` when it sees Baton's text in the composer for the first time. This moment is
 * between Baton's paste and Baton's Enter.
 */
export function atDraft(reader: ScreenReader, act: () => void): ScreenReader {
  let done = false;
  return {
    ...reader,
    isOurDraft: (draft, text) => {
      const ours = reader.isOurDraft(draft, text);
      if (ours && !done) {
        done = true;
        act();
      }
      return ours;
    },
  };
}
