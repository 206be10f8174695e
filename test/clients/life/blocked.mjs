// A handoff that a person has to unblock. Before the person acts, Baton types nothing, the run and the inbox name the
// cause, and the inbox and `baton agent answer` give the same advice. Afterwards the handoff completes without further
// help.

import { sentencesIn, wrongAdvice } from './judge/sentences.mjs';

/** @typedef {import('./stage.mjs').Stage} Stage */

const HOLD_MS = 4_000;

/** @param {Stage} stage @param {{ cause: RegExp, unblock: () => Promise<void>, purposes?: string[] }} about */
export async function blocked(stage, { cause, unblock, purposes }) {
  const id = await stage.click();
  await stage.draftStands(HOLD_MS);
  stage.nothingTyped();
  await stage.says('handoff show', cause);
  await stage.says('inbox list', cause);
  await adviceIsHonest(stage);
  await unblock();
  return stage.completes(id, purposes);
}

/** Expects that the inbox and `baton agent answer` agree on whether --choice can answer the agent's question now. */
export async function adviceIsHonest(/** @type {Stage} */ stage) {
  const compare = async () => {
    const inbox = sentencesIn(await stage.watch.ask('/api/inbox')).map(([, sentence]) => sentence);
    return wrongAdvice(inbox, await stage.shell(['agent', 'answer', String(stage.agent.id)]));
  };
  // The question may appear or disappear after the inbox was read and before the command ran. Compare the inbox with the
  // command's output again, up to three times.
  let wrong = await compare();
  for (let again = 0; again < 3 && wrong !== undefined; again++) wrong = await compare();
  stage.expect(wrong === undefined, wrong ?? '');
}

/** Chooses an option with the command that the inbox advises. */
export async function answerByCommand(/** @type {Stage} */ stage, choice = 1) {
  const { code, output } = await stage.shell(['agent', 'answer', String(stage.agent.id), '--choice', String(choice)]);
  stage.expect(code === 0, `baton agent answer --choice ${choice} exits ${code}: ${output.trim()}`);
}
