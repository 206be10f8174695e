// Plays one scene with one client and returns the trace. Also reads and writes the recorded traces.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ClientPane, linesOf } from './client-pane.mjs';
import { SCENES } from './scenes.mjs';
import { traceOf } from './trace.mjs';

const RECORDINGS = fileURLToPath(new URL('../fixtures/claude-code/traces/', import.meta.url));

/** @param {import('./client-pane.mjs').Client} client @param {string} name */
export async function playScene(client, name) {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  const pane = await ClientPane.start(client, scene.hooks);
  try {
    if (!scene.early) await pane.resting();
    const facts = await scene.play(pane);
    return traceOf({
      scene: name,
      exitCode: await pane.exitCode(),
      hooks: pane.hooks(),
      userLines: userLines(pane),
      said: pane.said,
      ...(scene.status ? { statuses: pane.statuses() } : {}),
      ...(facts ? { facts: await facts() } : {}),
    });
  } finally {
    await pane.stop();
  }
}

export const recordedScenes = () => readdirSync(RECORDINGS).map((file) => file.replace(/\.json$/, ''));

/** @returns {import('./trace.mjs').Trace} */
export const readRecording = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(`${RECORDINGS}${name}.json`, 'utf8'));

export function writeRecording(/** @type {import('./trace.mjs').Trace} */ { events, ...rest }) {
  const lines = events.map((event) => `    ${JSON.stringify(event)}`).join(',\n');
  const others = Object.entries(rest).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const text = `{\n${[others[0], `  "events": [\n${lines}\n  ]`, ...others.slice(1)].join(',\n')}\n}\n`;
  writeFileSync(`${RECORDINGS}${rest.scene}.json`, text);
}

/**
 * Returns the scene's prompts that appear as user lines in the transcript. Only such a line proves that the model got
 * the prompt.
 */
function userLines(/** @type {ClientPane} */ pane) {
  const paths = new Set(pane.hooks().map(({ transcript_path }) => transcript_path));
  const prompts = [...paths]
    .flatMap(linesOf)
    .filter(({ type }) => type === 'user')
    .map(({ message }) => textOf(message));
  return prompts.filter((prompt) => pane.said.includes(prompt));
}

const textOf = (/** @type {any} */ message) =>
  typeof message?.content === 'string' ? message.content : (message?.content?.[0]?.text ?? '');
