import type { TurnPlan } from './action.ts';
import { oneLine } from './one-line.ts';
import { openItems, type PlanItem, parsePlan, tick } from './plan-file.ts';
import type { Situation } from './situation.ts';
import { stepNote, taskNote } from './work-notes.ts';

const LOOK_AROUND_SHARE = 0.21;
const PLAN = 'PLAN.md';

/** Plans an ordinary turn: the next open item of the plan or, if there is no plan, a note about the request. */
export function* work(task: string, situation: Situation): TurnPlan {
  situation.memory.prompts.push(task);
  yield { kind: 'look-around', share: LOOK_AROUND_SHARE };
  yield* situation.exists(PLAN) ? workOnPlan(situation) : workOnTask(task, situation);
}

function* workOnPlan(situation: Situation): TurnPlan {
  const { memory } = situation;
  const plan = yield { kind: 'read', path: PLAN };
  const open = openItems(parsePlan(plan.text)).filter((item) => !memory.done.includes(item.text));
  const [item, ...later] = open;
  if (item === undefined) {
    memory.nextSteps = [];
    yield { kind: 'say', text: `Every item in ${PLAN} is done.` };
    return;
  }
  yield { kind: 'say', text: `Next on the plan is item ${item.number}: ${item.text}.` };
  yield { kind: 'think' };
  const path = `notes/step-${item.number}-${slug(item)}.md`;
  const written = yield { kind: 'write', path, content: stepNote(item, later[0]?.text) };
  if (!written.ok) {
    memory.blockers.push(`I could not write ${path}: ${oneLine(written.text)}`);
    yield { kind: 'say', text: `I could not write ${path}.` };
    return;
  }
  yield { kind: 'write', path: PLAN, content: tick(plan.text, item) };
  memory.done.push(item.text);
  memory.rememberFile(path, `notes on "${item.text}"`);
  memory.rememberFile(PLAN, 'ticked the items I finished');
  memory.decisions.push(`I chose a separate note for "${item.text}" because a separate note is easier to review.`);
  memory.nextSteps = later.map((entry) => entry.text);
  yield { kind: 'say', text: `Item ${item.number} is done (${path}); ${later.length} left.` };
}

function* workOnTask(task: string, situation: Situation): TurnPlan {
  const { memory } = situation;
  const path = freeNotePath(situation);
  yield { kind: 'say', text: 'There is no plan, so I will write a note on the task.' };
  yield { kind: 'think' };
  const written = yield { kind: 'write', path, content: taskNote(task) };
  if (written.ok) {
    const purpose = `a note on "${oneLine(task, 80)}"`;
    memory.done.push(oneLine(task, 120));
    memory.nextSteps = memory.nextSteps.filter((step) => step !== task);
    memory.rememberFile(path, purpose);
    memory.decisions.push(`I chose to write ${path} because there was no ${PLAN} to follow.`);
  }
  yield { kind: 'say', text: written.ok ? `I wrote ${path}.` : `I could not write ${path}.` };
}

function freeNotePath({ exists }: Situation): string {
  let number = 1;
  while (exists(`notes/note-${number}.md`)) number += 1;
  return `notes/note-${number}.md`;
}

function slug(item: PlanItem): string {
  const words = item.text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, 40).replace(/^-|-$/g, '') || 'item';
}
