import { readFileSync } from 'node:fs';
import { Agent, Persona, Project, type Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { getPersonas } from '../client/look-up.ts';
import { awaitAgent, isReady } from '../handoffs/watch/await-agent.ts';
import { duration } from '../output/duration.ts';
import { ink, TICK, WARN } from '../output/ink.ts';
import { checkEvidence, type Verdict } from './check-evidence.ts';
import { fillContext } from './fill-context.ts';
import { type HandedOver, handOver, stepsKilledIn } from './hand-over.ts';
import { showDocument, showSteps, showSuccessor } from './show-outcome.ts';
import { readPracticeLog } from './stage/practice-log.ts';
import { filesIn, makeSampleProject } from './stage/sample-project.ts';
import type { Stage } from './stage/stage.ts';

export interface Played {
  readonly run: Run;
  readonly verdict: Verdict;
}

export interface Director {
  /** Called with the run's step after each read of the run, so that the server can be killed in that step. */
  readonly onStep: (step: string) => void;
  /** The steps in which the server is to be killed. */
  readonly killIn: readonly string[];
}

const READY_MS = 60_000;

/** Plays the whole demo, from an empty project to the successor at work. */
export async function play(stage: Stage, director: Director): Promise<Played> {
  const { out, places } = stage;
  const agent = await castAgent(stage);
  out.print('');
  out.print(ink('bold', `${agent.label} works until the context is nearly full`));
  await fillContext(stage, agent.id);
  const filesBefore = filesIn(places.project);
  out.print('');
  out.print(ink('bold', 'Handoff, started with one click'));
  const handedOver = await handOver(stage, agent.id, director.onStep);
  const { run } = handedOver;
  const document = run.document?.bytes ? readFileSync(run.document.absolute_path, 'utf8') : '';
  const verdict = judge(stage, handedOver, document, director.killIn);
  showDocument(stage, run, document);
  showSuccessor(stage, run, verdict, filesBefore);
  showSteps(stage, run);
  return { run, verdict };
}

async function castAgent(stage: Stage): Promise<Agent> {
  const { api, out, places, signal } = stage;
  const startedAt = performance.now();
  makeSampleProject(places.project);
  const hasGit = await stage.beginRepository(places.project);
  out.print(TICK, ` Sample project ${places.project}`, ink('dim', '  six steps in its PLAN.md'));
  if (!hasGit) out.print(WARN, ' git is not available, so the project has no history; the demo continues without it.');
  const persona = await findOrRegister(stage);
  const project = (await api.post(PATHS.projects, { path: places.project }, Project)).data;
  const wanted = { project_id: project.id, persona: persona.slug, runtime: 'practice' };
  const { id } = (await api.post(PATHS.agents, wanted, Agent)).data;
  const agent = await awaitAgent(api, id, isReady, { timeoutMs: READY_MS, what: 'ready', signal });
  const took = ink('dim', `  ${duration(performance.now() - startedAt)}`);
  out.print(TICK, ` ${agent.label}, ${persona.role} (agent ${id}), is ready and has its skill`, took);
  return agent;
}

async function findOrRegister({ api }: Stage): Promise<Persona> {
  const known = (await getPersonas(api)).data.find(
    ({ role, name, status }) => role === 'developer' && name === 'Con' && status === 'active',
  );
  return known ?? (await api.post(PATHS.registerPersona, { role: 'developer', name: 'Con' }, Persona)).data;
}

function judge({ places }: Stage, { run, events }: HandedOver, document: string, killIn: readonly string[]): Verdict {
  const verdict = checkEvidence({
    runId: run.id,
    acknowledged: run.acknowledged,
    documentPath: run.document?.absolute_path ?? '',
    document,
    predecessor: readPracticeLog(places.home, run.agent_id),
    successor: run.successor_agent_id === null ? [] : readPracticeLog(places.home, run.successor_agent_id),
  });
  const killed = stepsKilledIn(events).join(', ');
  if (killed === killIn.join(', ')) return verdict;
  const problem = `The server was killed in: ${killed || 'no step'}; expected: ${killIn.join(', ') || 'no step'}.`;
  return { ...verdict, problems: [...verdict.problems, problem] };
}
