import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, InboxItem, Run } from '../../src/contract/resources.ts';
import { run as execute } from '../../test/support/baton-process.ts';
import type { Lane } from './lane.ts';
import type { HandoffRound } from './plan.ts';
import { type Evidence, type Expected, evidenceOf, SCENARIOS } from './scenarios.ts';

/**
 * The outcomes of a run. The evidence is the practice agents' own logs (every byte, every prompt that a model got),
 * tmux, and the bytes on disk. The judge believes Baton only when Baton reports a failure.
 *
 * - `lost`: a run never ends. Or the run has not halted, but the document that the agent finished has no handoff
 *   record, or the stored bytes are not the bytes that the agent wrote.
 * - `doubled`: a model accepted one prompt (an instruction, a skill or an injection of one attempt) more than once, or
 *   more prompts than the operator asked for. Or one agent had two processes. Or there were more successors than the
 *   operator asked for, or two live ones. Or Baton typed /exit too often or pressed Escape twice.
 * - `silent`: a run halted without its `handoff_error` event or without its inbox item. Or Baton calls a run completed,
 *   but the successor did not get the prompt exactly once, or did not acknowledge the prompt with the token. Only the
 *   last line of the document contains this token.
 * - `completed`: the run ended as the operator asked, and everything happened exactly as often as asked for.
 * - `halted_wrongly`: everything else. No data is lost, but Baton called the operator without need.
 */
export type Outcome = 'completed' | 'halted_wrongly' | 'lost' | 'doubled' | 'silent';

export interface Verdict {
  readonly outcome: Outcome;
  readonly why: string;
}

export interface Played {
  readonly round: HandoffRound;
  readonly agentId: number;
  readonly runId: number;
  /** The number of the last event in the log before the crash points of this run were set. */
  readonly after: number;
  /** The handoff run after its end; undefined if the run did not end. */
  readonly run: Run | undefined;
  readonly inbox: readonly InboxItem[];
  /** The number of times that the server died after the crash points were set and before this run ended. */
  readonly kills: number;
}

/**
 * How long to wait until the agent's log contains `baton ack`. The agent logs this command only after the run is
 * completed.
 */
const PROOF_PATIENCE_MS = 15_000;

export async function judge(lane: Lane, played: Played): Promise<Verdict> {
  for (const until = performance.now() + PROOF_PATIENCE_MS; ; await pause(100)) {
    const verdict = await judgeNow(lane, played);
    if (verdict.why !== UNPROVEN || performance.now() > until) return verdict;
  }
}

async function judgeNow(lane: Lane, played: Played): Promise<Verdict> {
  const { run, round } = played;
  const expected = SCENARIOS[round.scenario].expected;
  const { agents } = await lane.get<{ agents: Agent[] }>('/api/agents');
  const next = agents.filter((agent) => agent.previous_agent_id === played.agentId);
  const seen = look(lane, played.agentId, next, await sessions(lane), run?.brought_back_agent_id ?? null);

  const doubled = whatIsDoubled(seen, expected);
  if (doubled !== undefined) return { outcome: 'doubled', why: doubled };
  if (run === undefined) return { outcome: 'lost', why: 'the run does not come to an end' };
  const untold = run.step === 'failed' ? whatIsUntold(lane, played, run) : undefined;
  if (untold !== undefined) return { outcome: 'silent', why: untold };
  const lost = run.step === 'failed' ? undefined : whatIsLost(lane, seen, run);
  if (lost !== undefined) return { outcome: 'lost', why: lost };
  if (run.step === 'failed') return judgeHalt(run);
  const unproven = run.step === 'completed' ? whatIsUnproven(lane, seen, run) : undefined;
  if (unproven !== undefined) return { outcome: 'silent', why: unproven };
  const odd = whatIsOdd(seen, expected, run);
  return odd === undefined ? { outcome: 'completed', why: '' } : { outcome: 'halted_wrongly', why: odd };
}

interface Seen {
  readonly old: readonly Evidence[];
  readonly successors: readonly { readonly agent: Agent; readonly log: readonly Evidence[]; readonly lives: boolean }[];
  readonly broughtBack: { readonly log: readonly Evidence[]; readonly lives: boolean } | undefined;
}

function look(
  lane: Lane,
  agentId: number,
  next: readonly Agent[],
  live: ReadonlySet<string>,
  broughtBackId: number | null,
): Seen {
  const known = next.map((agent) => ({
    agent,
    log: evidenceOf(lane, agent.id),
    lives: live.has(agent.tmux.session),
  }));
  return {
    old: evidenceOf(lane, agentId),
    successors: known.filter(({ agent }) => agent.id !== broughtBackId),
    broughtBack: known.find(({ agent }) => agent.id === broughtBackId),
  };
}

async function sessions(lane: Lane): Promise<ReadonlySet<string>> {
  const socket = join(lane.baton.home, 'tmux.sock');
  const { stdout } = await execute('tmux', ['-S', socket, 'list-panes', '-a', '-F', '#{session_name}']);
  return new Set(stdout.split('\n'));
}

/**
 * Counts how often the model got each prompt that Baton typed. The key of the result is the reference in the prompt,
 * `[baton:…]`.
 */
function accepted(log: readonly Evidence[], what: 'skill' | 'instruction' | 'injection'): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { type, text } of log) {
    const ref = type === 'submitted' ? [...(text ?? '').matchAll(/\[baton:([a-z0-9-]+)\]/g)].at(-1)?.[1] : undefined;
    if (ref?.split('-').includes(what)) times.set(ref, (times.get(ref) ?? 0) + 1);
  }
  return times;
}

const count = (log: readonly Evidence[], type: string): number => log.filter((each) => each.type === type).length;

function whatIsDoubled({ old, successors, broughtBack }: Seen, expected: Expected): string | undefined {
  const logs = [old, ...successors.map(({ log }) => log), broughtBack?.log ?? []];
  for (const log of logs) {
    if (count(log, 'start') > 1) return 'two processes of one agent were started';
    for (const what of ['skill', 'instruction', 'injection'] as const)
      for (const [ref, times] of accepted(log, what)) if (times > 1) return `${ref} was accepted ${times} times`;
  }
  const more = (times: number, most: number, what: string) => (times > most ? `${times} ${what}` : undefined);
  return (
    more(accepted(old, 'instruction').size, expected.instructions, 'different instructions') ??
    more(count(old, 'command'), expected.exits, 'exit commands') ??
    more(count(old, 'interrupted'), 1, 'Escapes') ??
    more(successors.length, expected.successors, 'successors') ??
    more([...successors, broughtBack].filter((each) => each?.lives).length, 1, 'agents alive after the handoff') ??
    successors
      .map(
        ({ log }) =>
          more(accepted(log, 'skill').size, 1, 'skills') ?? more(accepted(log, 'injection').size, 1, 'injections'),
      )
      .find((problem) => problem !== undefined)
  );
}

function whatIsUntold(lane: Lane, { inbox, after }: Played, run: Run): string | undefined {
  const told = lane.eventsOf(run.id).some(({ type, seq }) => type === 'handoff_error' && seq > after);
  if (!told) return 'it halted without a handoff_error event';
  if (!run.failure?.sentence) return 'it halted without a sentence';
  return inbox.some(({ kind, run_id }) => kind === 'failure' && run_id === run.id)
    ? undefined
    : 'it halted without an item in the inbox';
}

/**
 * Compares the stored document with the last text that the agent wrote into the document's folder, whatever the file's
 * name.
 */
function whatIsLost(lane: Lane, { old }: Seen, { document, handoff_id }: Run): string | undefined {
  const folder = document?.absolute_path.replace(/[^/]+$/, '');
  const written = old.findLast(
    ({ type, name, ok, input }) =>
      type === 'tool' && name === 'Write' && ok && folder !== undefined && input?.file_path?.startsWith(folder),
  )?.input?.content;
  if (written === undefined) return undefined;
  if (handoff_id === null) return 'the document is finished, but has no record';
  return keptDocument(lane, document?.sha256) === written ? undefined : 'the kept bytes are not what the agent wrote';
}

function keptDocument(lane: Lane, sha256: string | null | undefined): string | undefined {
  try {
    return readFileSync(join(lane.baton.home, 'documents', `${sha256}.md`), 'utf8');
  } catch {
    return undefined;
  }
}

const UNPROVEN = 'it is completed, but the successor has not proved that it read the document';

function whatIsUnproven(lane: Lane, { successors }: Seen, run: Run): string | undefined {
  const successor = successors.find(({ agent }) => agent.id === run.successor_agent_id);
  if (successor === undefined) return 'it is completed without a successor';
  const { log } = successor;
  if (accepted(log, 'injection').size !== 1) return 'it is completed, but the successor did not get the prompt';
  const token = /handoff-end:(\S+) -->\s*$/.exec(keptDocument(lane, run.document?.sha256) ?? '')?.[1];
  const proven = log.some(
    ({ type, ok, input }) =>
      type === 'tool' && ok && input?.command?.startsWith(`baton ack ${run.id} --proof ${token} `),
  );
  if (!proven || token === undefined) return UNPROVEN;
  const events = lane.eventsOf(run.id);
  const known = events.find(({ type }) => type === 'handoff_acknowledged')?.seq ?? Number.POSITIVE_INFINITY;
  const over = events.find(({ type, data }) => type === 'handoff_progress' && data.to === 'completed')?.seq ?? 0;
  return run.acknowledged && known < over ? undefined : 'it is completed without knowing of the acknowledgement';
}

const judgeHalt = ({ failure }: Run): Verdict => ({
  outcome: 'halted_wrongly',
  why: `${failure?.code} at ${failure?.at}: ${failure?.sentence}`,
});

function whatIsOdd({ old, successors, broughtBack }: Seen, expected: Expected, run: Run): string | undefined {
  if (run.step !== expected.step) return `it is ${run.step} instead of ${expected.step}`;
  const fewer = (times: number, wanted: number, what: string) =>
    times === wanted ? undefined : `${times} ${what} instead of ${wanted}`;
  const skilled = successors.find(({ agent }) => agent.id === run.successor_agent_id);
  const undone = expected.step === 'cancelled';
  return (
    fewer(accepted(old, 'instruction').size, expected.instructions, 'instructions') ??
    fewer(count(old, 'command'), expected.exits, 'exit commands') ??
    fewer(successors.length, expected.successors, 'successors') ??
    fewer(accepted(skilled?.log ?? [], 'skill').size, 1, 'skills') ??
    (undone && !broughtBack?.lives ? 'the predecessor was not brought back' : undefined) ??
    (undone === Boolean(skilled?.lives) ? `the successor ${undone ? 'still lives' : 'is gone'}` : undefined)
  );
}
