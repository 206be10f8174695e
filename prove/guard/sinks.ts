import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from '../../src/contract/routes.ts';
import type { PackageProcess } from '../../test/e2e/packages/package-process.ts';
import { run } from '../../test/support/baton-process.ts';
import { delegation } from '../../test/surfaces/http/packages/package-scene.ts';

/**
 * A place where text from outside enters Baton. `put` returns the HTTP status of the answer, or 0 if there is no
 * answer.
 */
export interface Sink {
  readonly name: string;
  readonly put: (text: string, index: number) => Promise<number>;
  /** True if it takes a second or more to put one text into this sink (a place where text enters Baton). */
  readonly slow?: true;
}

export function sinksOf(scene: PackageProcess): readonly Sink[] {
  const { baton } = scene;
  const post = async (path: string, body: unknown): Promise<number> => (await baton.call('POST', path, body)).status;
  const quiet = (text: string): string => text.replace(/\p{Cs}/gu, '?');
  // Cancel each package at once, because for each new package Baton checks all waiting packages, which is slow if there
  // are thousands.
  const inPackage = async (given: unknown): Promise<number> => {
    const { status, body } = await scene.create(given);
    if (status < 300) await scene.call(scene.con, 'POST', `/${body.id}/cancel`, {});
    return status;
  };
  return [
    { name: 'name of a persona', put: (text) => post(PATHS.registerPersona, { role: 'developer', name: text }) },
    { name: 'role of a persona', put: (text) => post(PATHS.registerPersona, { role: text, name: 'x' }) },
    { name: 'path of a project', put: (text) => post(PATHS.projects, { path: text }) },
    { name: 'name of a project', put: (text) => post(PATHS.projects, { path: scene.projectPath, name: text }) },
    {
      name: 'folder of a project',
      put: async (text, index) => {
        const folder = join(baton.home, 'folders', String(index), quiet(text).replaceAll('/', '_').slice(0, 80) || '_');
        try {
          mkdirSync(folder, { recursive: true });
        } catch {
          return 0;
        }
        return post(PATHS.projects, { path: folder });
      },
    },
    {
      name: 'slug in an address',
      put: async (text) => await ask(scene, `/api/personas/${encodeURIComponent(quiet(text))}`),
    },
    {
      name: 'filter of events',
      put: async (text) => await ask(scene, `/api/events?type=${encodeURIComponent(quiet(text))}`),
    },
    {
      name: 'persona of a new agent',
      // The prefix `unknown` makes sure that no persona has this name. Without the prefix, the hostile text alone could
      // be the name of a persona that this test has registered before, and an agent would start.
      put: (text) => post(PATHS.agents, { project_id: scene.projectId, persona: `unknown ${text}` }),
    },
    {
      name: 'runtime of a new agent',
      put: (text) => post(PATHS.agents, { project_id: scene.projectId, runtime: text }),
    },
    { name: 'reason of a handoff', put: (text) => post(PATHS.handoff(scene.ann.id), { reason: text }) },
    { name: 'file to adopt', put: (text) => post(PATHS.runAction(1, 'adopt'), { file: text }) },
    { name: 'ntfy address', put: (text) => post(PATHS.settings, { notifications: { ntfy: text } }) },
    { name: 'template', put: (text) => post(PATHS.template('instruction'), { text }) },
    {
      name: 'skill',
      put: async (text) => {
        const slug = scene.ann.persona?.slug ?? '';
        const { skill } = await baton.get<{ skill: { sha256: string | null } }>(PATHS.persona(slug));
        return post(PATHS.personaText(slug, 'skill'), { text: `Be careful.\n\n${text}`, based_on: skill.sha256 });
      },
    },
    {
      name: 'summary of a package',
      put: (text) =>
        inPackage(delegation({ context: { summary: `12 endpoints in docs/api.md: ${text}`, open_questions: [] } })),
    },
    {
      name: 'artifact of a package',
      put: (text) =>
        inPackage(delegation({ context: { summary: '12 endpoints in docs/api.md', artifacts: [{ path: text }] } })),
    },
    {
      name: 'receiver of a package',
      put: (text) => inPackage(delegation({ to: { agent: text, reason: 'A review is needed' } })),
    },
    { name: 'package itself', put: inPackage },
    { name: 'package to lint', put: (text) => post(PATHS.lintPackage, { package: text }) },
    {
      name: 'hook of an agent',
      put: async (text, index) => {
        const said = { session_id: scene.ann.session_uuid, prompt: quiet(text), last_assistant_message: quiet(text) };
        const file = join(baton.home, `hook-${index}.json`);
        writeFileSync(file, JSON.stringify({ hook_event_name: 'Notification', message: quiet(text), ...said }));
        const env = { ...process.env, BATON_AGENT_ID: String(scene.ann.id), BATON_AGENT_TOKEN: scene.token(scene.ann) };
        const event = index % 2 === 0 ? 'Notification' : 'Stop';
        const { code } = await run('sh', ['-c', `exec '${baton.home}/bin/baton-hook' ${event} <'${file}'`], env);
        return code === 0 ? 0 : 500;
      },
    },
    { name: 'message to an agent', put: (text) => post(PATHS.messages(scene.ann.id), { text }), slow: true },
    {
      name: 'file to lint',
      put: async (text, index) => {
        const file = scene.file(`package-${index}.yaml`, quiet(text));
        const { code, stdout, stderr } = await scene.cli('operator', 'lint', file);
        return code > 1 || hasControl(stdout + stderr) ? 500 : 0;
      },
      slow: true,
    },
  ];
}

const ask = async ({ baton }: PackageProcess, path: string): Promise<number> => (await baton.call('GET', path)).status;

/**
 * Returns whether the text contains control characters. Baton itself prints no colors into a pipe, so control
 * characters can come only from a hostile text.
 */
export const hasControl = (text: string): boolean => /(?![\n\t])[\p{Cc}\p{Bidi_C}]/u.test(text);
