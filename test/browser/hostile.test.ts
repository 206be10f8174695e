import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Agent, Persona, PersonaDetail, Project, Run, SettingsView } from '../../src/contract/resources.ts';
import { visible } from '../../src/surfaces/page/parts/markdown/visible-text.ts';
import { BatonProcess, run } from '../support/baton-process.ts';
import { goTo, plantCanaries } from './support/alive.ts';
import { openPage, type Watched } from './support/browser.ts';
import { hostileMarkdown, PAYLOADS, screenfuls } from './support/hostile-corpus.ts';
import { expectInert } from './support/inert.ts';

const NAME = 'Eve <img src=x onerror=pwned(1)> \u202e__proto__\u2066 {{7*7}}';
const FOLDER = '<svg onload=pwned(2)> \u202e{{7*7}} javascript:pwned(2)';
const PROJECT = 'constructor <script>pwned(3)<\u200b/script> \u2067';
const SAID = 'Look: <img src=x onerror=pwned(4)> [x](javascript:pwned(4)) ![x](http://evil.test/4.png) z\u200bw';
const NOTE = '<iframe srcdoc="<script>parent.pwned(5)</script>"></iframe> \u202eetoN [x](javascript:pwned(5))';
const MENU = '<img src=x onerror=pwned(6)>? | <svg onload=pwned(6)> | [x](javascript:pwned(6)) | __proto__';
const SKILL = hostileMarkdown();
const DOCUMENT = `# Handoff

## What I was working on

<img src=x onerror=pwned(7)> and [x](javascript:pwned(7)) are the task.

## Decisions

${SKILL}

## Next steps

1. <script>pwned(8)</script>
`;

/** Tests that text from agents, repositories and documents is shown as plain text everywhere on the page. */
describe('hostile text on the page', () => {
  const baton = new BatonProcess();
  const socket = ['-S', join(baton.home, 'tmux.sock')];
  let browser: Browser;
  let watched: Watched;
  let persona: Persona;
  let folder: string;
  let asking: Agent;
  let drawing: Agent;
  let failing: Run;
  let handedOver: Run;

  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
    persona = (await baton.call<Persona>('POST', '/api/personas/register', { role: 'developer', name: NAME })).body;
    const written = await baton.get<PersonaDetail>(`/api/personas/${persona.slug}`);
    folder = written.folder;
    for (const text of ['skill', 'experience'] as const) {
      const body = { text: SKILL, based_on: written[text].sha256 };
      expect((await baton.call('POST', `/api/personas/${persona.slug}/${text}`, body)).status).toBe(200);
    }
    const { templates } = await baton.get<SettingsView>('/api/settings');
    for (const { name, text } of templates)
      await baton.call('POST', `/api/settings/templates/${name}`, { text: `${text}\n${NOTE}\n${SAID}` });
    handedOver = await handOver();
    failing = await baton.over(await trigger(await hostileAgent({ handoff: 'ignore' })));
    asking = await hostileAgent();
    await baton.call('POST', `/api/agents/${asking.id}/messages`, { text: `[[practice:menu ${MENU}]]` });
    await baton.event(({ type, agent_id }) => type === 'inbox_opened' && agent_id === asking.id);
    drawing = await baton.agent({ persona: false });
    watched = await openPage(browser, baton);
    await plantCanaries(watched);
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const trigger = async ({ id }: Agent): Promise<number> =>
    (await baton.call<{ run_id: number }>('POST', `/api/agents/${id}/handoff`, { note: NOTE })).body.run_id;

  async function hostileAgent(behaviour: object = {}): Promise<Agent> {
    const path = join(baton.project(), FOLDER);
    mkdirSync(path);
    writeFileSync(join(path, '.practice.json'), JSON.stringify({ thinkMs: 20, ...behaviour }));
    writeFileSync(join(path, 'PLAN.md'), `- [ ] ${SAID}\n- [ ] Write <script>pwned(9)</script>\n`);
    const { body: project } = await baton.call<Project>('POST', '/api/projects', { path, name: PROJECT });
    const wanted = { project_id: project.id, persona: persona.slug };
    const { body: agent } = await baton.call<Agent>('POST', '/api/agents', wanted);
    await baton.ready(agent.id, true);
    return agent;
  }

  /**
   * Plays a handoff in which the agent writes its document at the wrong path. The test then puts hostile text into this
   * document and makes Baton adopt the document for the handoff.
   */
  async function handOver(): Promise<Run> {
    const agent = await hostileAgent({ handoff: 'wrong_path' });
    await run('git', ['init', '-q', agent.project.path]);
    writeFileSync(join(agent.project.path, '<img src=x onerror=pwned(12)>\u202e.txt'), 'a name that git tells');
    const text = `${SAID} [[practice:bash echo '<script>pwned(10)</script>']] [[practice:say <b>${SAID}</b>]]`;
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text });
    await baton.event(({ type, agent_id }) => type === 'turn_ended' && agent_id === agent.id);
    const runId = await trigger(agent);
    const failed = await baton.over(runId);
    const file = join(dirname(failed.document?.absolute_path ?? ''), 'my-handoff-notes.md');
    const marker = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1);
    writeFileSync(file, `${DOCUMENT}\n${marker}\n`);
    await baton.call('POST', `/api/runs/${runId}/adopt`, { file });
    await baton.event(({ type, run_id }) => type === 'handoff_complete' && run_id === runId);
    return baton.get<Run>(`/api/runs/${runId}`);
  }

  it('[T15] the test corpus has more than 150 different hostile texts', () => {
    expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
    expect(PAYLOADS.length).toBeGreaterThan(150);
  });

  it('[T15] hostile text in a document or a prompt runs no code', async () => {
    const { page } = watched;
    await goTo(page, `/runs/${handedOver.id}`);
    const rendered = page.getByRole('group', { name: 'Rendered document' });
    await rendered.getByText(`Payload ${PAYLOADS.length - 1}, within words`).waitFor();
    await page.locator('main details').evaluateAll((folds) => {
      for (const fold of folds) fold.setAttribute('open', '');
    });
    await expectInert(watched, 'the rendered document');
    const words = await rendered.textContent();
    // The page must show the attacks in the document as plain text.
    for (const seen of ['onerror=pwned(10)', 'javascript:pwned(301)', 'not loaded: http://evil.test/i.png', '⟨U+202E⟩'])
      expect(words).toContain(seen);
    expect(words).not.toContain('could not be rendered');
    for (const part of ["Successor's acknowledgment", 'Git status', 'Prompts sent'])
      expect(await page.getByRole('region', { name: part }).textContent()).toContain('pwned(');

    await page.getByRole('tab', { name: 'Raw' }).click();
    const raw = page.getByRole('group', { name: 'Raw document' });
    const lines = new Set(await raw.locator('> div > span:last-child').allTextContents());
    const missing = PAYLOADS.filter((payload) => !lines.has(visible(`> ${payload.split('\n')[0]}`)));
    expect(missing).toEqual([]);
    await expectInert(watched, 'the raw document');
  });

  it('[T15] hostile text in the skill of a persona runs no code', async () => {
    const { page } = watched;
    await goTo(page, `/personas/${persona.slug}`);
    const preview = page.getByRole('group', { name: 'Preview of skill.md' });
    await preview.getByText(`Payload ${PAYLOADS.length - 1}, within words`).waitFor();
    await expectInert(watched, 'the preview of a skill');
    for (const [index, payload] of PAYLOADS.entries()) {
      await page.getByLabel('skill.md', { exact: true }).fill(`${payload}\n\nEnd of ${index}`);
      // The page must show the last line as text, even if unclosed markup in the payload could swallow the line.
      await preview.filter({ hasText: `End of ${index}` }).waitFor();
      await expectInert(watched, `the preview of ${payload}`);
    }
    // Change the file on disk, so that the page shows both versions side by side.
    writeFileSync(join(folder, 'skill.md'), SKILL.slice(0, 4_000));
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: /Someone else changed/ }).waitFor();
    await expectInert(watched, 'what changed meanwhile');
    await page.getByRole('button', { name: 'Load theirs, keep mine to compare' }).click();
    await page.getByRole('region', { name: 'Your version' }).waitFor();
    await expectInert(watched, 'my own version');
    await page.getByRole('button', { name: 'Discard my version' }).click();
    await page.getByRole('tab', { name: 'Experience' }).click();
    await page
      .getByRole('group', { name: 'Preview of experience.md' })
      .getByText(`Payload ${PAYLOADS.length - 1}, within words`)
      .waitFor();
    await expectInert(watched, 'the preview of the experience');
  });

  it('[T14] [T15] hostile text in names, questions, notes and events runs no code', async () => {
    const { page } = watched;
    const paths = [
      ...['/', '/inbox', '/runs', `/runs/${failing.id}`, `/agents/${asking.id}`, `/agents/${failing.agent_id}`],
      ...[`/agents/${handedOver.successor_agent_id}`, '/personas', `/personas/${persona.slug}`],
      ...[`/personas/${persona.slug}/lineage`, '/settings'],
    ];
    for (const path of paths) {
      await goTo(page, path);
      await expectInert(watched, path);
    }
    await goTo(page, `/agents/${asking.id}`);
    for (const label of ['1 <svg onload=pwned(6)>', '2 [x](javascript:pwned(6))', '3 __proto__'])
      await page.getByRole('button', { name: label }).waitFor();
    await goTo(page, '/activity');
    await page
      .getByRole('button', { name: /^Data of event/ })
      .first()
      .waitFor();
    for (const button of await page.getByRole('button', { name: /^Data of event/ }).all()) await button.click();
    await expect.poll(() => page.locator('main pre').filter({ hasText: 'pwned(' }).count()).toBeGreaterThan(3);
    await expectInert(watched, 'the events');
  });

  it('[T15] hostile text in dialogs and in answers of the server runs no code', async () => {
    const { page } = watched;
    const dialog = page.getByRole('dialog');
    const leave = async (where: string): Promise<void> => {
      await expectInert(watched, where);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    const choose = async (path: string, menu: RegExp, item: RegExp): Promise<void> => {
      await goTo(page, path);
      await page.getByRole('button', { name: menu }).first().click();
      await page.getByRole('menuitem', { name: item }).click();
      await dialog.waitFor();
    };
    await goTo(page, '/');
    await page.getByRole('main').getByRole('button', { name: 'Start agent', exact: true }).click();
    await dialog.getByLabel('Persona').waitFor();
    await expectInert(watched, 'the choices of a start');
    await dialog.getByLabel('Project').selectOption({ label: 'Another folder…' });
    await dialog.getByRole('textbox').first().fill(`/${NAME}`);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.getByRole('alert').waitFor();
    await leave('a folder that is not there');

    await choose(`/agents/${asking.id}`, /^More actions for/, /^Kill/);
    await leave('the question before a stop');
    await choose(`/agents/${asking.id}`, /^More actions for/, /^Hand over…/);
    await leave('a handoff with a note');
    await choose(`/agents/${drawing.id}`, /^More actions for/, /persona/);
    await leave('the choice of a persona');
    await goTo(page, `/personas/${persona.slug}`);
    await page.getByRole('button', { name: 'Edit name and role' }).click();
    await dialog.waitFor();
    await expectInert(watched, 'a persona to edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'was saved' }).waitFor();
    await expectInert(watched, 'what became of a click');
    await choose(`/personas/${persona.slug}`, /^More actions for/, /^Archive/);
    await leave('the question before a persona is archived');

    await goTo(page, `/runs/${failing.id}`);
    await page.getByRole('button', { name: /Use (?:a|another) file/ }).click();
    await dialog.getByLabel('Absolute path of the file').fill(`/${NAME}`);
    await dialog.getByRole('button', { name: 'Use this file' }).click();
    await dialog.getByRole('alert').waitFor();
    await leave('a file that is not there');
    await page.goto(`${new URL(page.url()).origin}/#/personas/${encodeURIComponent('<img src=x onerror=pwned(11)>')}`);
    await page.getByRole('alert').first().waitFor();
    await expectInert(watched, 'an address that names nobody');
  });

  it('[T14] hostile text in the warning about an unsent draft runs no code', async () => {
    const { page } = watched;
    const agent = await baton.agent({ persona: false });
    await run('tmux', [
      ...socket,
      'send-keys',
      '-t',
      agent.tmux.pane ?? '',
      '-l',
      `${SAID} <script>pwned(13)</script>`,
    ]);
    await goTo(page, `/agents/${agent.id}`);
    await page
      .getByRole('group', { name: /^Terminal of/ })
      .getByText('pwned(13)')
      .waitFor();
    await page.getByRole('textbox').fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Refused.').waitFor();
    await page.getByText(/unsent text.*pwned\(4\)/).waitFor();
    await expectInert(watched, 'a refused message');
  });

  it('[T14] hostile text on the screen of an agent runs no code', async () => {
    const { page } = watched;
    const asked = ['display-message', '-p', '-t', drawing.tmux.pane ?? '', '#{pane_tty}'];
    const terminal = (await run('tmux', [...socket, ...asked])).stdout.trim();
    await goTo(page, `/agents/${drawing.id}`);
    const shown = page.getByRole('group', { name: /^Terminal of/ });
    let seen = '';
    for (const [index, bytes] of screenfuls(40).entries()) {
      writeFileSync(terminal, bytes);
      await shown.getByText(`screenful ${index} is whole`).waitFor();
      await expectInert(watched, `screenful ${index}`);
      const kinds = await shown.evaluate((each) => [...each.querySelectorAll('*')].map(({ localName }) => localName));
      expect([...new Set(kinds)].sort()).toEqual(['div', 'span']);
      seen += await shown.textContent();
    }
    for (const text of ['<img src=x onerror=pwned(10)>', '[a](javascript:pwned(301))', '<script>pwned(732)</script>'])
      expect(seen).toContain(text);
    await goTo(page, '/');
    await expectInert(watched, 'the card of an agent whose screen is hostile');
  });
});
