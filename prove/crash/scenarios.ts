import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Persona, Project, Run } from '../../src/contract/resources.ts';
import { playLesson } from './accept-lesson.ts';
import { click, type Play, prompt, reached, type Slot } from './clicks.ts';
import { playCountdown } from './count-down.ts';
import type { Lane } from './lane.ts';
import type { ScenarioName } from './plan.ts';

/** The result that judge.ts expects of a handoff run. */
export interface Expected {
  readonly step: 'completed' | 'cancelled';
  /** The number of handoff instructions that the operator requested. Each instruction has its own reference. */
  readonly instructions: number;
  readonly exits: number;
  /** How many successors the operator requested, including successors that died. */
  readonly successors: number;
}

interface Scenario {
  readonly behaviour: object;
  readonly expected: Expected;
  /**
   * Plays the operator's actions. Returns the run, and the number of the last event before the crash points were set.
   */
  readonly play: (play: Play) => Promise<{ runId: number; after: number }>;
}

const QUICK = { thinkMs: 20 };
const BUSY_SECONDS = 1;
const ONCE: Expected = { step: 'completed', instructions: 1, exits: 1, successors: 1 };

export const SCENARIOS: Record<ScenarioName, Scenario> = {
  handoff: {
    behaviour: {},
    expected: ONCE,
    play: async (play) => {
      await beBusy(play);
      const after = await play.armed();
      return { runId: await click(play, 'handoff', {}), after };
    },
  },
  instruct_again: {
    behaviour: { handoff: 'ignore_once' },
    expected: { ...ONCE, instructions: 2 },
    play: async (play) => actOnHalted(play, 'document_missing', 'instruct_again'),
  },
  adopt: {
    behaviour: { handoff: 'wrong_path' },
    expected: ONCE,
    play: async (play) => actOnHalted(play, 'document_missing', 'adopt'),
  },
  retry: {
    behaviour: { successor: { startExit: 1 } },
    expected: { ...ONCE, successors: 2 },
    play: async (play) => actOnHalted(play, 'successor_failed', 'retry'),
  },
  resume: {
    behaviour: { successor: { startExit: 1 } },
    expected: { ...ONCE, successors: 2 },
    play: async (play) => actOnHalted(play, 'successor_failed', 'resume'),
  },
  approve: {
    behaviour: {},
    expected: ONCE,
    play: async (play) => {
      const runId = await reviewed(play);
      const after = await play.armed();
      await act(play, runId, 'approve');
      return { runId, after };
    },
  },
  force_exit: {
    behaviour: { exit: 'ignore' },
    expected: ONCE,
    play: async (play) => {
      const runId = await click(play, 'handoff', {});
      await play.lane.event(0, ({ type, data, run_id, agent_id }) => {
        return (
          run_id === runId && agent_id === play.agentId && type === 'handoff_progress' && data.to === 'shutting_down'
        );
      });
      while (!evidenceOf(play.lane, play.agentId).some(({ type }) => type === 'command')) await pause(50);
      const after = await play.armed();
      await act(play, runId, 'force_exit');
      return { runId, after };
    },
  },
  interrupt: {
    behaviour: {},
    expected: ONCE,
    play: async (play) => {
      await prompt(play, '[[practice:say I begin.]] [[practice:slow 900000]]');
      const runId = await click(play, 'handoff', {});
      await reached(play, runId, 'waiting_safe_point');
      const after = await play.armed();
      await act(play, runId, 'interrupt');
      return { runId, after };
    },
  },
  undo: {
    behaviour: { successor: { injection: 'ignore' } },
    expected: { ...ONCE, step: 'cancelled' },
    play: async (play) => {
      const runId = await click(play, 'handoff', {});
      await reached(play, runId, 'awaiting_acknowledgement');
      const after = await play.armed();
      await act(play, runId, 'undo');
      return { runId, after };
    },
  },
  // Use a new agent for each countdown, because a successor would inherit the setting for automatic handoffs from its
  // predecessor.
  countdown: { behaviour: { handoff: 'write' }, expected: ONCE, play: playCountdown },
  lesson: { behaviour: {}, expected: ONCE, play: playLesson },
  emergency: {
    behaviour: {},
    expected: { step: 'completed', instructions: 0, exits: 0, successors: 1 },
    play: async (play) => {
      await play.lane.post(`/api/agents/${play.agentId}/stop`, { force: true });
      while ((await play.lane.get<Agent>(`/api/agents/${play.agentId}`)).state !== 'ended') await pause(50);
      const after = await play.armed();
      return { runId: await click(play, 'succeed', {}), after };
    },
  },
};

export async function newSlot(lane: Lane): Promise<Slot> {
  const projectPath = lane.baton.project(QUICK);
  const { id: projectId } = await lane.post<Project>('/api/projects', { path: projectPath });
  const { slug } = await lane.post<Persona>('/api/personas/register', { role: 'developer', name: 'Con' });
  return { projectId, projectPath, persona: slug, agentId: undefined };
}

/** Starts an agent with the scenario's behavior, and waits until it is idle with its skill. */
export async function readyAgent(lane: Lane, slot: Slot, scenario: ScenarioName): Promise<number> {
  behave(slot, SCENARIOS[scenario].behaviour);
  const { projectId: project_id, persona } = slot;
  slot.agentId ??= (await lane.post<Agent>('/api/agents', { project_id, persona })).id;
  const id = slot.agentId;
  for (let looks = 0; ; looks++) {
    const { state, state_reason, skill_injected_at, tmux } = await lane.get<Agent>(`/api/agents/${id}`);
    if (state === 'idle' && skill_injected_at !== null && tmux.pane !== null) return id;
    if (state === 'ended' || looks > 2_000)
      throw new Error(`agent ${id} does not become ready: ${state}, ${state_reason}`);
    await pause(60);
  }
}

/** Writes the behavior file that practice agents read when they start. */
const behave = (slot: Slot, behaviour: object): void =>
  writeFileSync(join(slot.projectPath, '.practice.json'), JSON.stringify({ ...QUICK, ...behaviour }));

async function beBusy(play: Play): Promise<void> {
  if (play.mode === 'thinking')
    await prompt(play, `[[practice:say I begin.]] [[practice:slow ${BUSY_SECONDS * 1000}]]`);
  if (play.mode === 'tool') await prompt(play, `[[practice:bash sleep ${BUSY_SECONDS}]]`);
}

interface Button {
  readonly path: string;
  readonly body: object;
}

async function act({ lane }: Play, runId: number, action: string, button?: Button): Promise<void> {
  const { path, body } = button ?? { path: `/api/runs/${runId}/${action}`, body: {} };
  const attempted = async (): Promise<Run> => lane.get<Run>(`/api/runs/${runId}`);
  const { attempt, step } = await attempted();
  const before = await lane.now();
  for (let clicks = 0; clicks < 20; clicks++) {
    const answer = await lane.try('POST', path, body);
    if (answer?.status === 200) return;
    const seen = await attempted();
    if (seen.attempt !== attempt || seen.step !== step) return;
    // Look for the action in the log. Some actions, such as "approve", do not change the step of the run, so after a
    // kill only the log shows that Baton recorded the action.
    await lane.now();
    if (lane.eventsOf(runId).some(({ seq, type }) => seq > before && type === 'operator_chose')) return;
    if (answer !== undefined && !seen.actions.some((offer) => offer.action === action))
      throw new Error(`${action} of run ${runId} was refused: ${JSON.stringify(answer.body)}`);
  }
  throw new Error(`${action} of run ${runId} was never answered`);
}

async function actOnHalted(play: Play, code: string, action: string): Promise<{ runId: number; after: number }> {
  const { lane } = play;
  const runId = await click(play, 'handoff', {});
  await lane.event(0, ({ type, run_id }) => type === 'handoff_error' && run_id === runId);
  const { failure, document, handoff_id } = await lane.get<Run>(`/api/runs/${runId}`);
  if (failure?.code !== code) throw new Error(`run ${runId} halted with ${failure?.code} instead of ${code}`);
  if (code === 'successor_failed') behave(play.slot, {});
  const after = await play.armed();
  const file = join(dirname(document?.absolute_path ?? ''), 'my-handoff-notes.md');
  const path = action === 'resume' ? `/api/handoffs/${handoff_id}/resume` : `/api/runs/${runId}/${action}`;
  await act(play, runId, action, { path, body: action === 'adopt' ? { file } : {} });
  return { runId, after };
}

async function reviewed(play: Play): Promise<number> {
  const runId = await click(play, 'handoff', { review: true });
  await reached(play, runId, 'recorded');
  return runId;
}

export interface Evidence {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly ok?: boolean;
  readonly input?: { readonly file_path?: string; readonly content?: string; readonly command?: string };
}

/** Returns the agent's own log. The last line may be incomplete. */
export function evidenceOf(lane: Lane, agentId: number): readonly Evidence[] {
  let text: string;
  try {
    text = readFileSync(join(lane.baton.home, 'agents', String(agentId), 'practice.jsonl'), 'utf8');
  } catch {
    return [];
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Evidence);
}
