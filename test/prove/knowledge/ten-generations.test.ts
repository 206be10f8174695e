import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Lesson, PersonaKnowledge } from '../../../src/contract/knowledge.ts';
import type { HandoffDetail, Run } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';

const GENERATIONS = 10;
const QUESTION = 'Which license does the parser have?';
const LESSON = 'Read PLAN.md before the code.';
const TASK = 'Do the next step of PLAN.md.';

const baton = new BatonProcess({ handoff_at_percent: 20 });
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

/** Waits until the automatic handoff of the given agent has ended, and returns the run of the handoff. */
async function handedOff(agentId: number): Promise<Run> {
  const begun = await baton.event(
    (event) => event.agent_id === agentId && event.type === 'handoff_progress' && event.data.from === null,
  );
  return baton.over(begun.run_id ?? 0);
}

it("after ten automatic handoffs in a row, the last handoff still passes on the first agent's task and question", {
  timeout: 1_800_000,
}, async () => {
  const agent = await baton.agent();
  const slug = agent.persona?.slug ?? '';
  const steps = Array.from({ length: GENERATIONS + 2 }, (_, index) => `- [ ] Write part ${index + 1}`);
  writeFileSync(join(agent.projectPath, 'PLAN.md'), ['# Plan', ...steps, ''].join('\n'));
  const say = (text: string) => baton.call('POST', `/api/agents/${agent.id}/messages`, { text });
  await say(`[[practice:question ${QUESTION}]] [[practice:lesson ${LESSON}]]`);
  await baton.event((event) => event.agent_id === agent.id && event.type === 'turn_ended');
  await baton.call('POST', `/api/personas/${slug}/handoff-policy`, {
    policy: { mode: 'auto', idle_seconds: 0, countdown_seconds: 1, per_day: GENERATIONS },
  });
  await baton.ready(agent.id, true);
  await say(TASK);

  const runs: Run[] = [];
  for (let holder = agent.id; runs.length < GENERATIONS; ) {
    const run = await handedOff(holder);
    expect(run, run.failure?.sentence).toMatchObject({
      step: 'completed',
      acknowledged: true,
      begun_because: expect.stringContaining('the handoff policy of its persona is auto'),
    });
    runs.push(run);
    holder = run.successor_agent_id ?? 0;
  }

  // The last handoff document no longer contains the first agent's question. The prompt of the tenth successor must
  // still contain the question.
  const last = runs.at(-1);
  const record = await baton.get<HandoffDetail>(`/api/handoffs/${last?.handoff_id}`);
  expect(record.injection_prompt).toContain(QUESTION);
  // Each successor acknowledges the task in its own words. The prompt of the next successor must contain these words.
  expect(record.injection_prompt).toContain('working through the plan of the project');
  expect(record.document_text).not.toContain(QUESTION);

  const { points, lessons } = await baton.get<PersonaKnowledge>(`/api/personas/${slug}/knowledge`);
  const open = points.filter(({ closed }) => closed === null).map(({ text }) => text);
  expect(open).toContain(QUESTION);
  // Agents may close only points that are steps of the plan. They must not close the open question.
  const closed = points.filter((point) => point.closed?.by === 'agent').map(({ text }) => text);
  expect(closed.length).toBeGreaterThanOrEqual(GENERATIONS - 2);
  for (const text of closed) expect(text).toMatch(/^Write part \d+$/);
  expect(points.map(({ text }) => text).sort()).toEqual([...new Set(points.map(({ text }) => text))].sort());
  expect(lessons.map(({ text, state }) => [text, state])).toEqual([[LESSON, 'offered']]);

  // The maximum number of automatic handoffs per day must stop the eleventh handoff.
  const held = await baton.event(
    (event) => event.agent_id === last?.successor_agent_id && event.type === 'auto_handoff_held',
  );
  expect(held.data.why).toBe('cap');
  const accepted = await baton.call<Lesson>('POST', `/api/lessons/${lessons[0]?.id}/accept`, {});
  expect(accepted.body.state).toBe('accepted');
});
