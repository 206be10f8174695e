import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lesson, PersonaKnowledge } from '../../src/contract/knowledge.ts';
import type { Agent, Run } from '../../src/contract/resources.ts';
import { click, type Play, prompt, reached } from './clicks.ts';

interface Begun {
  readonly runId: number;
  readonly after: number;
}

/**
 * Accepts a lesson of a finished handoff while the server is killed again and again. Checks that experience.md contains
 * the lesson exactly once at the end.
 */
export async function playLesson(play: Play): Promise<Begun> {
  const { lane, slot, agentId } = play;
  const text = `Agent ${agentId} learned to wait.`;
  await prompt(play, `[[practice:lesson ${text}]]`);
  const runId = await click(play, 'handoff', {});
  await reached(play, runId, 'completed');
  const { successor_agent_id: successor } = await lane.get<Run>(`/api/runs/${runId}`);
  // Wait until the successor is idle, so that only the acceptance of the lesson writes files during the kills.
  for (let looks = 0; (await lane.get<Agent>(`/api/agents/${successor}`)).state !== 'idle'; looks++) {
    if (looks > 1_000) throw new Error(`agent ${successor} does not become idle`);
    await pause(60);
  }
  const { id } = await offered(play, text);
  await play.armed();
  await accept(play, { id, text });
  const experience = readFileSync(join(lane.baton.home, 'data', 'personas', slot.persona, 'experience.md'), 'utf8');
  const times = experience.split(text).length - 1;
  if (times !== 1)
    throw new Error(`${times === 0 ? 'lost' : 'doubled'}: experience.md has lesson ${id} ${times} times`);
  // Search the whole log for the end of the handoff, because the handoff ended before the crash points were set.
  return { runId, after: 0 };
}

async function offered({ lane, slot }: Play, text: string): Promise<Lesson> {
  const { lessons } = await lane.get<PersonaKnowledge>(`/api/personas/${slot.persona}/knowledge`);
  const found = lessons.find((lesson) => lesson.text === text);
  if (found === undefined) throw new Error(`lost: the lesson "${text}" is not offered`);
  return found;
}

/**
 * Accepts the lesson as the operator. Repeats the request after each kill, until Baton says that experience.md contains
 * the lesson.
 */
async function accept(play: Play, { id, text }: { readonly id: number; readonly text: string }): Promise<void> {
  for (let clicks = 0; clicks < 200; clicks++) {
    const { state } = await offered(play, text);
    if (state === 'accepted') return;
    if (state === 'offered') await play.lane.try('POST', `/api/lessons/${id}/accept`, {});
    else await pause(50);
  }
  throw new Error(`stuck: lesson ${id} is never accepted`);
}
