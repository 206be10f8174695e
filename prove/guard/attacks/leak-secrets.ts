import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PATHS } from '../../../src/contract/routes.ts';
import { openPage } from '../../../test/browser/support/browser.ts';
import { PackageProcess } from '../../../test/e2e/packages/package-process.ts';
import { run } from '../../../test/support/baton-process.ts';
import { delegation } from '../../../test/surfaces/http/packages/package-scene.ts';
import { hitsBelow, hitsIn } from '../scan.ts';
import { type SeededSecret, seededSecrets } from '../secrets.ts';

/**
 * The number of secrets in a whole and in a short run. The 27 kinds of secrets take turns, so even 54 secrets include
 * each kind twice.
 */
const COUNT = { whole: 200, short: 54 };
/** A short run types only every ninth secret into an agent's terminal, because typing one text takes a second. */
const SAMPLE = 9;
/** Files that the agent itself writes about its session. Baton does not redact them. */
const THE_AGENTS_OWN = /practice\.jsonl$|transcript|\.jsonl$/;

/**
 * Sends made-up secrets to Baton in many ways. Then searches everything that Baton stores, logs, sends and leaves in
 * the browser. Returns one sentence for each secret found. Secrets without a recognizable shape are also in the
 * server's environment, so that Baton knows them.
 */
export async function leakSecrets(browser: Browser, { short }: { readonly short: boolean }): Promise<string[]> {
  const secrets = seededSecrets(11, short ? COUNT.short : COUNT.whole);
  const sentOut: string[] = [];
  const webhook = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => sentOut.push(chunk.toString()));
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  const { port } = webhook.address() as AddressInfo;
  const scene = new PackageProcess({
    notifications: { os: false, webhook: `http://127.0.0.1:${port}/` },
    notify_finished_after_seconds: 1,
  });
  const known = secrets.flatMap(({ variable, value }) => (variable === undefined ? [] : [[variable, value] as const]));
  try {
    await scene.begin(Object.fromEntries(known));
    await say(scene, secrets, short);
    const seen = await look(browser, scene);
    const hits = [
      ...hitsBelow(scene.baton.home, secrets, (path) => THE_AGENTS_OWN.test(path)),
      ...Object.entries({ ...seen, 'what was sent out': sentOut.join('\n') }).flatMap(([where, text]) =>
        hitsIn(where, text, secrets),
      ),
    ];
    return [
      ...hits.map(({ where, kind }) => `a secret of the kind ${kind} stands in ${where}`),
      ...(sentOut.length === 0 ? ['nothing was sent out, so nothing was proved of it'] : []),
    ];
  } finally {
    webhook.close();
    await scene.baton.cleanUp();
  }
}

async function say(scene: PackageProcess, secrets: readonly SeededSecret[], short: boolean): Promise<void> {
  const { baton, ann } = scene;
  for (const [index, { line }] of secrets.entries()) {
    const file = join(baton.home, 'hook.txt');
    const told = { session_id: ann.session_uuid, message: line, prompt: line, last_assistant_message: line };
    const input = { command: line, file_path: line };
    writeFileSync(file, JSON.stringify({ ...told, tool_name: 'Bash', tool_input: input, error: line }));
    const event = ['Notification', 'Stop', 'UserPromptSubmit', 'PreToolUse', 'StopFailure'][index % 5];
    const env = { ...process.env, BATON_AGENT_ID: String(ann.id), BATON_AGENT_TOKEN: scene.token(ann) };
    await run('sh', ['-c', `exec '${baton.home}/bin/baton-hook' ${event} <'${file}'; rm '${file}'`], env);
    writeFileSync(file, '');
    await baton.call('POST', PATHS.projects, { path: `/nowhere/${line}` });
    await baton.call('POST', PATHS.handoff(ann.id), { reason: line });
    await baton.call('POST', PATHS.runAction(1, 'adopt'), { file: `/nowhere/${line}` });
    const context = { summary: `12 endpoints in docs/api.md: ${line}`, open_questions: [] };
    await scene.create(delegation({ context }));
    if (!short || index % SAMPLE === 0) await baton.call('POST', PATHS.messages(scene.con.id), { text: line });
  }
  const asked = secrets[0]?.line ?? '';
  await baton.call('POST', PATHS.messages(scene.con.id), { text: `[[practice:menu ${asked}? | Yes | No]]` });
  await baton.event(({ type, agent_id }) => type === 'inbox_opened' && agent_id === scene.con.id);
}

/**
 * Returns all API answers and the data that the page leaves in the browser. Skips the agents' screens, which are not
 * redacted (docs/ENVIRONMENT.md).
 */
async function look(browser: Browser, { baton, con }: PackageProcess): Promise<Readonly<Record<string, string>>> {
  const paths = ['/api/events?limit=1000', '/api/inbox', '/api/agents', '/api/runs', '/api/packages', '/api/health'];
  const answers = await Promise.all(paths.map(async (path) => [path, JSON.stringify(await baton.get(path))] as const));
  const { page, context } = await openPage(browser, baton);
  for (const path of ['/', '/inbox', '/activity', `/agents/${con.id}`]) {
    await page.evaluate((to) => {
      location.hash = `#${to}`;
    }, path);
    await page.locator('main h1').waitFor();
  }
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  await context.close();
  return { ...Object.fromEntries(answers), "the browser's storage": kept };
}
