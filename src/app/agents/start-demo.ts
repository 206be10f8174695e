import { type Agent, hasReachedThreshold, isLive } from '../../domain/agents/agent.ts';
import { isOver, type Run } from '../../domain/handoffs/run.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { DEMO_STORY, SAMPLE_FILES } from '../../domain/sample-project.ts';
import { errorMessage } from '../error-message.ts';
import { requestHandoff, runsTouching } from '../handoffs/request-handoff.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import { sendMessage } from '../messages/send-message.ts';
import { registerPersona } from '../personas/register-persona.ts';
import type { Ports } from '../ports/index.ts';
import { addProject } from '../settings/add-project.ts';
import { startAgent } from './start-agent.ts';

export interface StartedDemo {
  readonly agent: Agent;
  readonly persona: Persona;
  readonly projectId: number;
}

/** Shows a whole handoff with practice agents to an operator who has no agents yet. Only one demo runs at a time. */
export interface Demo {
  /**
   * Starts the demo. Resolves once the demo's agent is created. The demo then continues in the background. If it fails
   * in the background, Baton opens an inbox item.
   */
  start(acting: Ports): Promise<StartedDemo | Refusal>;
  /** Stops the demo when the server stops. The agents keep running, but the demo types nothing more. */
  stop(): void;
}

/**
 * The persona of the demo's agents. Every agent with this persona counts as an agent of the demo, because an operator
 * is unlikely to register a persona with the same role and name.
 */
const PERSONA = { role: 'practice-developer', name: 'Robin' };
const LOOK_EVERY_MS = 100;
const BREATH_MS = 600;
const MAX_WAIT_MS = 60_000;

export function createDemo(ports: Ports): Demo {
  let running: { agentId: number | null } | undefined;
  let stopped = false;

  const start = async (acting: Ports): Promise<StartedDemo | Refusal> => {
    if (running !== undefined) return alreadyRuns(running.agentId);
    const mine = { agentId: null as number | null };
    running = mine;
    let begun: StartedDemo | Refusal | undefined;
    try {
      begun = await prepareDemo(acting);
    } finally {
      if (begun === undefined || isRefusal(begun)) running = undefined;
    }
    if (isRefusal(begun)) return begun;
    const { id } = begun.agent;
    mine.agentId = id;
    void play(ports, id, () => stopped)
      .catch((error: unknown) => (stopped || wasStopped(ports, id) ? undefined : tell(ports, id, errorMessage(error))))
      .finally(() => {
        running = undefined;
      });
    return begun;
  };

  return {
    start,
    stop: () => {
      stopped = true;
    },
  };
}

const alreadyRuns = (agentId: number | null): Refusal => ({
  code: 'already_running',
  sentence:
    agentId === null
      ? 'A demo is already starting; wait until it runs'
      : `A demo is already running with agent ${agentId}; watch it, or start another when it has ended`,
});

async function prepareDemo(ports: Ports): Promise<StartedDemo | Refusal> {
  const folder = await ports.files.makeSampleProject('tally', SAMPLE_FILES);
  if (!(await ports.beginRepository(folder))) ports.log.warn('could not create a git repository for the demo project');
  const project = await addProject(ports, folder, undefined);
  if (isRefusal(project)) return project;
  const known = ports.store
    .read((tx) => tx.personas())
    .find(({ role, name, status }) => role === PERSONA.role && name === PERSONA.name && status === 'active');
  const persona = known ?? (await registerPersona(ports, PERSONA.role, PERSONA.name));
  if (isRefusal(persona)) return persona;
  const wanted = { projectId: project.id, personaSlug: persona.slug, runtime: 'practice' };
  const agent = await startAgent(ports, wanted);
  return isRefusal(agent) ? agent : { agent, persona, projectId: project.id };
}

/**
 * Lets the agent work until its context is nearly full, then requests a handoff. If the operator has already begun the
 * handoff, the demo only waits until it ends.
 */
async function play(ports: Ports, agentId: number, isStopped: () => boolean): Promise<void> {
  const scene = { ports, agentId, isStopped };
  await until(scene, 'ready', ({ state, priming }) => state === 'idle' && priming.status === 'done');
  for (let turn = 1; turn <= DEMO_STORY.maxPrompts && !isStopped() && runOf(scene) === undefined; turn += 1) {
    await pause(ports, BREATH_MS);
    const agent = await haveTurn(scene);
    if (hasReachedThreshold(agent, ports.operatorSettings.current().handoffAtPercent)) break;
  }
  if (isStopped()) return;
  await pause(ports, BREATH_MS);
  if (runOf(scene) === undefined) {
    const run = await requestHandoff(ports, agentId, { reason: 'context_limit', note: undefined });
    // The operator has already started the handoff, so ignore the refusal of this second handoff.
    if (isRefusal(run) && run.code !== 'handoff_in_progress') throw new Error(run.sentence);
  }
  while (!isStopped() && isUnderWay(runOf(scene))) await pause(ports, LOOK_EVERY_MS);
}

interface Scene {
  readonly ports: Ports;
  readonly agentId: number;
  readonly isStopped: () => boolean;
}

const runOf = ({ ports, agentId }: Scene): Run | undefined =>
  ports.store.read((tx) => runsTouching(tx, agentId)).at(-1);

/**
 * Returns whether the run is in flight. A failed run is not in flight: Baton waits until the operator decides what to
 * do.
 */
const isUnderWay = (run: Run | undefined): boolean => run !== undefined && !isOver(run);

/**
 * Sends one prompt and waits for the end of its turn. The end of the turn is read from the log. The recorded state is
 * not enough, because it may still be idle right after the prompt was typed.
 */
async function haveTurn(scene: Scene): Promise<Agent> {
  const { ports, agentId } = scene;
  const after = ports.store.read((tx) => tx.lastSeq());
  const sent = await sendMessage(ports, agentId, DEMO_STORY.prompt);
  if (isRefusal(sent)) {
    if (sent.code === 'agent_in_handoff') return agentIn(scene);
    throw new Error(sent.sentence);
  }
  if (sent.verdict !== 'accepted') throw new Error(sent.sentence);
  const ended = (): boolean =>
    ports.store
      .read((tx) => tx.latestEventsOf(agentId, ['turn_ended', 'turn_failed'], 1))
      .some(({ seq }) => seq > after);
  return until(scene, 'done with its turn', ({ state }) => state === 'idle' && ended());
}

function agentIn({ ports, agentId }: Scene): Agent {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined || !isLive(agent))
    throw new Error(`agent ${agentId} has ended (${agent?.stateReason ?? 'unknown reason'})`);
  return agent;
}

async function until(scene: Scene, what: string, fits: (agent: Agent) => boolean): Promise<Agent> {
  const { ports, isStopped } = scene;
  const began = ports.clock.monotonicMs();
  for (;;) {
    const agent = agentIn(scene);
    if (fits(agent) || isStopped() || isUnderWay(runOf(scene))) return agent;
    if (ports.clock.monotonicMs() - began > MAX_WAIT_MS)
      throw new Error(`agent ${agent.id} was not ${what} within ${MAX_WAIT_MS / 1000} s (${agent.stateReason})`);
    await pause(ports, LOOK_EVERY_MS);
  }
}

const pause = ({ clock }: Ports, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

/** Returns whether the operator stopped the agent. If so, the demo ends without a notice. */
const wasStopped = ({ store }: Ports, agentId: number): boolean =>
  store.read((tx) => tx.latestEventsOf(agentId, ['agent_stop_asked'], 1)).length > 0;

async function tell(ports: Ports, agentId: number, why: string): Promise<void> {
  const sentence = `The demo with agent ${agentId} ended early: ${why}. Its agents were left as they are; you can start another demo.`;
  await ports.store
    .write((tx) => raiseNotice(tx, ports, { type: 'agent_warning', sentence }, { agentId, runId: null }))
    .catch((error: unknown) => ports.log.error(`${sentence} (${errorMessage(error)})`));
}
