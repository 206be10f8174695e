// Records the traces of the real client with the stub model, and compares a client with the recording.

import { startStubModel } from '../clients/model/stub-model.mjs';
import { claudeCode } from './clients.mjs';
import { playScene, readRecording, recordedScenes, writeRecording } from './play.mjs';
import { SCENES } from './scenes.mjs';
import { differences } from './trace.mjs';

/** @typedef {{ program: string, version: string, say: (line: string) => void }} Options */

/**
 * Plays every scene twice and records the scene only if both traces are equal. If the traces differ, the scene depends
 * on chance.
 */
export async function recordTraces(/** @type {Options} */ options) {
  let recorded = 0;
  for (const name of Object.keys(SCENES)) {
    const [first, second] = [await play(name, options), await play(name, options)];
    const chance = differences(first, second);
    for (const line of chance) options.say(`differs by chance  ${name}  ${line}`);
    if (chance.length > 0) continue;
    writeRecording(first);
    options.say(`recorded  ${name}  ${first.events.map(({ event }) => event).join(' ')}`);
    recorded++;
  }
  return recorded === Object.keys(SCENES).length;
}

/** @returns {Promise<string[]>} the differences from the recording */
export async function compareWithRecording(/** @type {Options} */ options) {
  const recorded = recordedScenes();
  const found = Object.keys(SCENES)
    .filter((name) => !recorded.includes(name))
    .map((name) => `${name}: not recorded`);
  for (const name of recorded) {
    const before = await differencesIn(name, options);
    if (before.length === 0) continue;
    for (const line of before) options.say(`differs, played again  ${name}  ${line}`);
    // Play the scene again, because the operator's keys may arrive late on a busy machine. If the client has really
    // changed, the second trace differs as well.
    found.push(...(await differencesIn(name, options)).map((line) => `${name}: ${line}`));
  }
  return found;
}

async function differencesIn(/** @type {string} */ name, /** @type {Options} */ options) {
  try {
    return differences(readRecording(name), await play(name, options));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Starts a new stub for each scene, because a stub remembers earlier requests. */
async function play(/** @type {string} */ name, /** @type {Options} */ { program, version }) {
  const model = await startStubModel();
  try {
    return await playScene(claudeCode({ program, version, port: model.port }), name);
  } finally {
    await model.close();
  }
}
