// A handoff that waits until a person acts. Before the action Baton types nothing, the run and the inbox name the
// cause, and the advice in the inbox works. After the action the handoff completes without further help.

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

/** Expects that the command advised by the inbox is not refused. */
export async function adviceIsHonest(/** @type {Stage} */ stage) {
  const advised = stage.watch.sentences(/^inbox list/).find((sentence) => /--choice/.test(sentence));
  if (advised === undefined) return;
  const { output } = await stage.shell(['agent', 'answer', String(stage.agent.id)]);
  const refused = /only be answered in the agent's terminal|nothing.*asks/i.exec(output)?.[0];
  stage.expect(refused === undefined, `the inbox advises "${advised}", and the command says "${refused}"`);
}

/** Chooses an option with the command that the inbox advises. */
export async function answerByCommand(/** @type {Stage} */ stage, choice = 1) {
  const { code, output } = await stage.shell(['agent', 'answer', String(stage.agent.id), '--choice', String(choice)]);
  stage.expect(code === 0, `baton agent answer --choice ${choice} exits ${code}: ${output.trim()}`);
}
