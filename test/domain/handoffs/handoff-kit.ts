import type { Agent } from '../../../src/domain/agents/agent.ts';
import { applyFact } from '../../../src/domain/agents/apply-fact.ts';
import { restartPriming } from '../../../src/domain/agents/priming.ts';
import type { Effect } from '../../../src/domain/effects.ts';
import type { AgentFact, Fact, Notice } from '../../../src/domain/facts.ts';
import { offers } from '../../../src/domain/handoffs/actions.ts';
import { advance, begin } from '../../../src/domain/handoffs/advance.ts';
import { DEADLINES } from '../../../src/domain/handoffs/deadlines.ts';
import { BUILT_IN } from '../../../src/domain/handoffs/prompts/templates.ts';
import type { Run, RunAction } from '../../../src/domain/handoffs/run.ts';
import type { RunContext, Write } from '../../../src/domain/handoffs/step-rule.ts';
import { after, type Instant } from '../../../src/domain/instant.ts';
import type { OpenPoint } from '../../../src/domain/personas/open-point.ts';
import { anAgent, aRun } from '../../adapters/stores/store-contract.ts';

export const T0 = '2026-11-15T08:00:00.000Z' as Instant;
export const PANE = { serverPid: 1, serverStartedAt: 1, paneId: '%1', panePid: 2, tag: 'agent-1' };

/** Runs the pure core in a test: records facts and collects the resulting effects, writes and notices. */
export class Turntable {
  now: Instant = T0;
  agents = new Map<number, Agent>();
  run: Run;
  effects: Effect[] = [];
  writes: Write[] = [];
  notices: Notice[] = [];
  newerRunId: number | null = null;
  canBringBack = true;
  openPoints: readonly OpenPoint[] = [];
  resumedAs: number | null = null;

  constructor(agent: Partial<Agent> = {}, run: Partial<Run> = {}) {
    this.addAgent(1, { personaId: 1, pane: PANE, state: 'idle', registeredAt: T0, ...agent });
    this.run = { id: 7, hostId: 'h', ...aRun(1, { nonce: 'nonce', endToken: 'TOKEN', ...run }) };
    this.take(begin(this.run, this.world));
  }

  addAgent(id: number, over: Partial<Agent> = {}): void {
    this.agents.set(id, { id, hostId: 'h', tmuxSession: `agent-${id}`, ...anAgent({ lastSeenAt: T0, ...over }) });
  }

  agent(id = 1): Agent {
    const found = this.agents.get(id);
    if (found === undefined) throw new Error(`no agent ${id}`);
    return found;
  }

  get world(): RunContext {
    return {
      agent: this.agent(1),
      successor: this.run.successorAgentId === null ? null : this.agent(this.run.successorAgentId),
      identity: { persona: { name: 'Con', role: 'developer', slug: 'developer-con-1' }, projectName: 'shop' },
      task: this.agent(1).lastPrompt,
      now: this.now,
      deadlines: DEADLINES,
      longestGapMs: 5_000,
      templates: BUILT_IN,
      newerRunId: this.newerRunId,
      canBringBack: this.canBringBack,
      openPoints: () => this.openPoints,
      resumedAs: this.resumedAs,
      broughtBack: this.run.broughtBackAgentId === null ? null : this.agent(this.run.broughtBackAgentId),
    };
  }

  private take({ run, effects, writes, notices }: ReturnType<typeof advance>): void {
    this.run = run;
    this.effects.push(...effects);
    this.notices.push(...notices);
    for (const write of writes) this.keep(write);
  }

  /** Applies a write to the run and its agents. The real store applies it in the transaction that saves the run. */
  private keep(write: Write): void {
    this.writes.push(write);
    const next = Math.max(...this.agents.keys()) + 1;
    if (write.kind === 'record_handoff') this.run = { ...this.run, handoffId: 3 };
    else if (write.kind === 'prime_successor_again') {
      const { agent, effects } = restartPriming(this.agent(2), this.run.attempt);
      this.agents.set(2, agent);
      this.effects.push(...effects);
    } else {
      this.addAgent(next, { personaId: 1, previousAgentId: 1, state: 'starting' });
      this.run =
        write.kind === 'bring_back'
          ? { ...this.run, broughtBackAgentId: next }
          : { ...this.run, successorAgentId: next };
    }
  }

  /** If true, every fact except clock ticks is recorded twice. */
  doubling = false;

  fact(fact: Fact): this {
    this.once(fact);
    return this.doubling && fact.type !== 'clock_ticked' ? this.once(fact) : this;
  }

  private once(fact: Fact): this {
    if ('agentId' in fact) {
      const step = applyFact(this.agent(fact.agentId), fact as AgentFact, this.now);
      this.agents.set(fact.agentId, step.agent);
      this.effects.push(...step.effects);
    }
    this.take(advance(this.run, fact, this.world));
    return this;
  }

  /** Advances the clock with a tick every second. */
  wait(ms: number, lastScreen?: string): this {
    for (let left = ms; left > 0; left -= 1_000) {
      this.now = after(this.now, Math.min(left, 1_000));
      this.fact({ type: 'clock_ticked', runId: 7, ...(lastScreen === undefined ? {} : { lastScreen }) });
    }
    return this;
  }

  /** Moves the clock in one jump, as after a suspend, a change of the clock or a time in which Baton was down. */
  jump(ms: number): this {
    this.now = after(this.now, ms);
    return this.fact({ type: 'clock_ticked', runId: 7 });
  }

  /** Records that the operator chose the given action for the run. */
  choose(action: RunAction): this {
    return this.fact({ type: 'operator_chose', runId: 7, action });
  }

  offered(): string[] {
    return offers(this.run, this.world).map(({ action }) => action);
  }

  kinds(): string[] {
    return this.effects.map(({ kind }) => kind);
  }

  /** Records the facts of a successful handoff until the run reaches the given step. */
  upTo(step: Run['step']): this {
    for (const { reached, facts } of GOOD_WAY) {
      if (this.run.step === step) return this;
      if (reached !== this.run.step) continue;
      for (const fact of facts) this.fact(fact);
    }
    if (this.run.step !== step)
      throw new Error(`at ${this.run.step}, not at ${step}: ${this.run.failure?.sentence ?? ''}`);
    return this;
  }
}

const PLACE = 'data/personas/developer-con-1/handoffs/20261115T080000-00000001.md';

export const place: Fact = {
  type: 'document_place_prepared',
  runId: 7,
  path: PLACE,
  absolutePath: `/home/con/.baton/${PLACE}`,
};
export const submitted = (agentId: number, promptId: string, ref: string | null): Fact => ({
  type: 'prompt_submitted',
  agentId,
  promptId,
  ref,
  excerpt: '',
  textHash: '',
});
export const stop = (agentId: number, promptId: string | null): Fact => ({
  type: 'turn_ended',
  agentId,
  promptId,
  backgroundTasks: 0,
});
export const tool = (agentId: number, promptId: string): Fact => ({
  type: 'tool_used',
  agentId,
  promptId,
  tool: 'Write',
  phase: 'began',
});
export const goodDocument: Fact = {
  type: 'document_checked',
  runId: 7,
  result: { verdict: 'good', sha256: 'abc', bytes: 10, markerFound: true },
};
export const compared: Fact = { type: 'document_compared', runId: 7, findings: [] };
export const typed = (
  agentId: number,
  ref: string,
  outcome: Extract<Fact, { type: 'prompt_typed' }>['outcome'] = { verdict: 'typed', enters: 1 },
): Fact => ({
  type: 'prompt_typed',
  agentId,
  purpose: 'instruction',
  ref,
  outcome,
});

const GOOD_WAY: readonly { readonly reached: Run['step']; readonly facts: readonly Fact[] }[] = [
  { reached: 'requested', facts: [place] },
  { reached: 'instructing', facts: [submitted(1, 'p1', 'nonce-instruction'), tool(1, 'p1')] },
  { reached: 'awaiting_document', facts: [stop(1, 'p1')] },
  { reached: 'verifying', facts: [goodDocument] },
  { reached: 'recorded', facts: [compared, { type: 'successor_can_start', runId: 7 }] },
  { reached: 'shutting_down', facts: [{ type: 'agent_process_gone', agentId: 1, detail: 'gone' }] },
  {
    reached: 'creating_successor',
    facts: [{ type: 'agent_launched', agentId: 2, pane: { ...PANE, paneId: '%2', tag: 'agent-2' } }],
  },
  {
    reached: 'awaiting_registration',
    facts: [{ type: 'session_started', agentId: 2, runtimeSessionId: 's2', source: 'startup' }],
  },
  { reached: 'injecting_skill', facts: [] },
  { reached: 'delivering_prompt', facts: [submitted(2, 'p3', 'nonce-injection'), tool(2, 'p3')] },
  { reached: 'awaiting_acknowledgement', facts: [{ type: 'handoff_acknowledged', runId: 7, task: 'go on' }] },
];

/**
 * Records the facts with which the successor gets its skill. The constant GOOD_WAY cannot contain these facts, because
 * the reference in the skill prompt contains the successor's session id.
 */
export function primeSuccessor(table: Turntable): Turntable {
  const { priming } = table.agent(2);
  if (priming.status !== 'typing') throw new Error(`priming is ${priming.status}`);
  return table.fact(submitted(2, 'p2', priming.ref)).fact(stop(2, 'p2'));
}
