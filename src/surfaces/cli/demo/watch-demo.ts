import { readFileSync } from 'node:fs';
import type { Run } from '../../../contract/resources.ts';
import { awaitAgent, isReady } from '../handoffs/watch/await-agent.ts';
import { duration } from '../output/duration.ts';
import { ink, TICK } from '../output/ink.ts';
import { checkEvidence, type Verdict } from './check-evidence.ts';
import { showDocument, showSteps, showSuccessor } from './show-outcome.ts';
import { readPracticeLog } from './stage/practice-log.ts';
import { filesIn } from './stage/project-files.ts';
import type { Stage } from './stage/stage.ts';
import { type HandedOver, stepsKilledIn, watchHandoff } from './watch-handoff.ts';
import { watchWork } from './watch-work.ts';

export interface Watched {
  readonly run: Run;
  readonly verdict: Verdict;
}

/**
 * Facts about the demo that the server plays: its first agent, its sample project, and the log position before the
 * demo.
 */
export interface Begun {
  readonly agentId: number;
  readonly project: string;
  readonly after: number;
}

export interface Director {
  /**
   * The demo calls this function with the current step each time it has read the handoff. The function can then kill
   * the server in a chosen step.
   */
  readonly onStep: (step: string) => void;
  /** The steps in which the server is to be killed. */
  readonly killIn: readonly string[];
}

const READY_MS = 60_000;

/** Prints the events of the demo while the server plays it, and checks the evidence at the end. */
export async function watchDemo(stage: Stage, { agentId, after }: Begun, director: Director): Promise<Watched> {
  const { api, out, project, signal } = stage;
  const startedAt = performance.now();
  out.print(TICK, ` Sample project ${project}`, ink('dim', '  six steps in its PLAN.md'));
  const ready = { timeoutMs: READY_MS, what: 'ready', signal };
  const { label, persona } = await awaitAgent(api, agentId, isReady, ready);
  const took = ink('dim', `  ${duration(performance.now() - startedAt)}`);
  out.print(TICK, ` ${label}, ${persona?.role} (agent ${agentId}), is ready and has its skill`, took);
  out.print('');
  out.print(ink('bold', `${label} works until the context is nearly full`));
  const first = await watchWork(stage, agentId, after);
  const filesBefore = filesIn(project);
  out.print('');
  out.print(ink('bold', 'Handoff'));
  const handedOver = await watchHandoff(stage, first, director.onStep);
  const { run } = handedOver;
  const document = run.document?.bytes ? readFileSync(run.document.absolute_path, 'utf8') : '';
  const verdict = judge(stage, handedOver, document, director.killIn);
  showDocument(stage, run, document);
  showSuccessor(stage, run, verdict, filesBefore);
  showSteps(stage, run);
  return { run, verdict };
}

function judge({ home }: Stage, { run, events }: HandedOver, document: string, killIn: readonly string[]): Verdict {
  const verdict = checkEvidence({
    runId: run.id,
    acknowledged: run.acknowledged,
    documentPath: run.document?.absolute_path ?? '',
    document,
    predecessor: readPracticeLog(home, run.agent_id),
    successor: run.successor_agent_id === null ? [] : readPracticeLog(home, run.successor_agent_id),
  });
  const killed = stepsKilledIn(events).join(', ');
  if (killed === killIn.join(', ')) return verdict;
  const problem = `The server was killed in: ${killed || 'no step'}; expected: ${killIn.join(', ') || 'no step'}.`;
  return { ...verdict, problems: [...verdict.problems, problem] };
}
