import type { Agent } from '../../../src/domain/agents/agent.ts';
import type { Effect } from '../../../src/domain/effects.ts';
import type { AgentFact, Fact } from '../../../src/domain/facts.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { anAgent, aRun } from '../../adapters/stores/store-contract.ts';
import { PANE, T0 } from '../handoffs/handoff-kit.ts';
import { createNumbering } from './explore.ts';

/** The kind of text in an agent's composer. */
export type What = 'user' | 'instruction' | 'exit' | 'skill' | 'injection';

export interface Turn {
  readonly what: What;
  readonly ref: string | null;
  readonly promptId: string;
  /**
   * The progress of the turn: 0 until the prompt is accepted, then the number of the next action (COURSE in
   * agent-moves.ts).
   */
  readonly stage: number;
}

/** The agent's process as it really is, independent of Baton's view of it. */
export interface Process {
  readonly agentId: number;
  readonly end: null | 'exited' | 'server_lost';
  /** If true, the session has begun and the composer is visible. */
  readonly up: boolean;
  readonly composer: null | { readonly what: What; readonly ref: string };
  readonly turn: Turn | null;
  readonly asking: boolean;
  /**
   * `asked` means that /exit was submitted to the agent. `parting` means that the session has ended, but the process
   * still exists.
   */
  readonly leaving: null | 'asked' | 'parting';
  /** The references of all texts that were pasted into the agent's pane, in order. */
  readonly pasted: readonly string[];
  /** The prompts that the agent's model accepted, in order. The transcript contains their references. */
  readonly accepted: readonly { readonly what: What; readonly ref: string | null }[];
  /** The kinds of prompts whose turns have ended. */
  readonly finished: readonly What[];
  /** The hooks that have fired but have not arrived yet, in order. */
  readonly hooks: readonly AgentFact[];
  /** The hooks that later hooks have overtaken. The overtaken hooks may arrive at any time. */
  readonly late: readonly AgentFact[];
}

/**
 * An effect in the store. A crash loses the progress of the effect: the effect starts again at `wished` and is
 * performed again.
 */
export interface Wish {
  readonly effect: Effect;
  readonly stage: 'wished' | 'pasted' | 'performed';
  readonly facts: readonly Fact[];
}

/** How often each kind of event may still happen. */
export interface Budget {
  readonly crash: number;
  readonly lose: number;
  readonly double: number;
  /** How many hooks may be overtaken by hooks that fired later. */
  readonly hold: number;
  /** How often the terminal may fail to confirm that a typed text arrived. */
  readonly unseen: number;
  /** How often Baton may record a screen observation late, after another event has happened. */
  readonly stale: number;
  /** How often Baton may be unable to see on an agent's screen whether the agent works or is idle. */
  readonly unreadable: number;
  /** How many prompts and drafts the operator may type. */
  readonly user: number;
  readonly ask: number;
  readonly compact: number;
  readonly cancel: number;
  /** How often the operator may send the document back. If the number is above 0, the operator wants a review. */
  readonly review: number;
  /** How often an agent, a file or a program may fail. */
  readonly misbehave: number;
}

export interface State {
  /** The run, or null before the operator requests the handoff. */
  readonly run: Run | null;
  readonly agents: readonly Agent[];
  readonly processes: readonly Process[];
  readonly document: 'none' | 'partial' | 'complete';
  readonly wishes: readonly Wish[];
  /** If true, an acknowledgment was sent but has not arrived yet. */
  readonly acknowledging: boolean;
  readonly glance: AgentFact | null;
  /** If true, half the deadline of this step has passed since the step began or since the last activity. */
  readonly halfPassed: boolean;
  /** If true, half the safe-point deadline has passed. All waits for a safe point share this deadline. */
  readonly safePointHalfPassed: boolean;
  readonly budget: Budget;
  readonly world: Kind;
}

/**
 * The kind of simulated world. In a `timely` world, every agent acts before half a deadline has passed. In a `timeless`
 * world, every agent acts at once, so no deadline comes nearer. In the world `any`, agents may do anything.
 */
export type Kind = 'timely' | 'timeless' | 'any';

export const RUN_ID = 7;
const SESSION = (id: number): string => `0000000${id}-0000-4000-8000-000000000000`;

export const newRun = (review: Run['review']): Run => ({
  id: RUN_ID,
  hostId: 'h',
  ...aRun(1, { nonce: 'nonce', endToken: 'TOKEN', review }),
});

export const newAgent = (id: number, over: Partial<Agent>): Agent => ({
  id,
  hostId: 'h',
  tmuxSession: `agent-${id}`,
  ...anAgent({ sessionUuid: SESSION(id), tokenHash: '', personaId: 1, ...over }),
});

export const newProcess = (agentId: number): Process => ({
  agentId,
  end: null,
  up: false,
  composer: null,
  turn: null,
  asking: false,
  leaving: null,
  pasted: [],
  accepted: [],
  finished: [],
  hooks: [],
  late: [],
});

const NOTHING: Budget = {
  crash: 0,
  lose: 0,
  double: 0,
  hold: 0,
  unseen: 0,
  stale: 0,
  unreadable: 0,
  user: 0,
  ask: 0,
  compact: 0,
  cancel: 0,
  review: 0,
  misbehave: 0,
};

/** The first state: an idle agent, before the handoff is requested. */
export const startOf = (world: Kind, budget: Partial<Budget>): State => ({
  run: null,
  agents: [
    newAgent(1, {
      pane: PANE,
      state: 'idle',
      registeredAt: T0,
      runtimeSessionId: SESSION(1),
      transcriptPath: '/t1',
      priming: { status: 'done', at: T0, warning: null },
    }),
  ],
  processes: [{ ...newProcess(1), up: true }],
  document: 'none',
  wishes: [],
  acknowledging: false,
  glance: null,
  halfPassed: false,
  safePointHalfPassed: false,
  budget: { ...NOTHING, ...budget },
  world,
});

export const sessionOf = SESSION;

/**
 * Gives two runs the same number if they differ only in fields that the rules do not read. If these fields counted, the
 * same situation would be explored several times.
 */
const numberOfRun = createNumbering<Run>(
  ({ steps: _, createdAt: __, updatedAt: ___, warnings, acknowledgement, delivery, failure, ...rest }) =>
    JSON.stringify({
      ...rest,
      warned: warnings.length,
      acknowledged: acknowledgement !== null,
      failure: failure?.code,
      delivery: delivery && { ...delivery, lastRefusal: delivery.lastRefusal !== null },
    }),
);
const numberOfAgent = createNumbering<Agent>(({ stateReason: _, lastPrompt: __, tool: ___, ...rest }) =>
  JSON.stringify(rest),
);
const numberOfFact = createNumbering<Fact>((fact) => JSON.stringify(fact));
const numberOfEffect = createNumbering<Effect>((effect) => JSON.stringify(effect));
const numberOfTurn = createNumbering<Turn>((turn) => JSON.stringify(turn));
const numberOfProcess = createNumbering<Process>(({ hooks, late, turn, ...rest }) =>
  [
    rest.agentId,
    rest.end,
    rest.up,
    rest.composer?.what,
    rest.composer?.ref,
    rest.asking,
    rest.leaving,
    rest.pasted,
    rest.accepted.map(({ what, ref }) => `${what}:${ref}`),
    rest.finished,
    turn && numberOfTurn(turn),
    hooks.map(numberOfFact),
    late.map(numberOfFact),
  ].join('/'),
);
const numberOfWishes = createNumbering<readonly Wish[]>((wishes) =>
  wishes.map(({ effect, stage, facts }) => `${numberOfEffect(effect)}${stage}${facts.map(numberOfFact)}`).join(),
);
const numberOfBudget = createNumbering<Budget>((budget) => Object.values(budget).join());

export const believedKey = ({ run, agents }: Pick<State, 'run' | 'agents'>): string =>
  `${run === null ? '' : numberOfRun(run)}/${agents.map(numberOfAgent).join()}`;

export const factKey = (fact: Fact): number => numberOfFact(fact);

export const keyOf = (state: State): string =>
  [
    believedKey(state),
    state.processes.map(numberOfProcess).join(),
    state.document[0],
    numberOfWishes(state.wishes),
    state.glance === null ? '' : numberOfFact(state.glance),
    Number(state.acknowledging) + 2 * Number(state.halfPassed) + 4 * Number(state.safePointHalfPassed),
    numberOfBudget(state.budget),
  ].join(' ');

export const processOf = (state: State, agentId: number): Process | undefined =>
  state.processes.find((process) => process.agentId === agentId);

export const agentOf = (state: State, agentId: number): Agent | undefined =>
  state.agents.find((agent) => agent.id === agentId);

export const withProcess = (state: State, agentId: number, change: Partial<Process>): State => ({
  ...state,
  processes: state.processes.map((process) => (process.agentId === agentId ? { ...process, ...change } : process)),
});

export const spend = (state: State, what: keyof Budget): State => ({
  ...state,
  budget: { ...state.budget, [what]: state.budget[what] - 1 },
});
