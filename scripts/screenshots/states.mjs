import { settle, visit } from './looks.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./views.mjs').Shot} Shot */

/** The event stream. If the page cannot read this stream, the page says that the connection is lost. */
const EVENT_STREAM = /\/api\/events\?/;
const AGENTS = /\/api\/agents(\?|$)/;

/** Returns the time that is this many seconds from now. @param {number} seconds */
const inSeconds = (seconds) => new Date(Date.now() + seconds * 1_000).toISOString();

/**
 * Changes what the server answers, and opens the page again.
 *
 * @param {Page} page
 * @param {ReadonlyArray<readonly [url: RegExp, change: (answer: any) => object]>} changes
 */
async function answerWith(page, changes, path = '/') {
  for (const [url, change] of changes)
    await page.route(url, async (route) => route.fulfill({ json: change(await (await route.fetch()).json()) }));
  await page.reload();
  await visit(page, path);
}

/** @param {Page} page */
async function answerAsBefore(page) {
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await page.locator('main h1').waitFor();
}

/**
 * @param {string} sentence
 * @param {object} more
 */
const inboxItem = (sentence, more) => ({
  ...{ id: 9_001, kind: 'decision', severity: 'stuck', sentence, hint: '', agent_id: 1, run_id: null },
  ...{ package_id: null, opened_at: inSeconds(0), offers: [], notified: {}, ...more },
});

/**
 * Views of the page that practice agents cause only after a long time or not at all. To show the views, this script
 * changes the server's answers.
 * @param {(page: Page, name: RegExp) => Promise<void>} press presses a button that opens a dialog
 * @returns {Readonly<Record<string, Shot>>}
 */
export const statesOf = (press) => ({
  offline: {
    path: '/',
    open: async (page) => {
      await page.route(EVENT_STREAM, (route) => route.abort());
      await page.reload();
      await page.getByRole('alert').filter({ hasText: 'Connection lost' }).waitFor();
    },
    close: async (page) => page.unroute(EVENT_STREAM),
  },
  trouble: {
    path: '/',
    open: async (page) => {
      const trouble = [
        'Baton could not rely on its disk: 40 MB are free on the disk of /home/you/.baton. Free some space on that disk; otherwise Baton loses hooks of agents and its own records',
      ];
      await answerWith(page, [[/\/api\/health/, (health) => ({ ...health, status: 'trouble', trouble })]]);
      await page.getByText('Baton has a problem').waitFor();
    },
    close: answerAsBefore,
  },
  'usage-limit': { path: '/', open: limitFirst, close: answerAsBefore },
  countdown: { path: '/', open: countDown, close: answerAsBefore },
  'external-sessions': { path: '/', open: findSessions, close: answerAsBefore },
  'dialog-adopt': {
    path: '/',
    open: async (page) => {
      await findSessions(page);
      await press(page, /^Adopt session/);
    },
    close: answerAsBefore,
  },
  'inbox-reassign': { path: '/inbox', open: stickPackage, close: answerAsBefore },
  'dialog-reassign': {
    path: '/inbox',
    open: async (page) => {
      await stickPackage(page);
      await press(page, /^Reassign/);
    },
    close: answerAsBefore,
  },
});

/** @param {Page} page */
async function limitFirst(page) {
  const limit = {
    ...{ words: '5-hour limit reached', until: inSeconds(7_200) },
    ...{ retries_at: null, continues_itself: false, waits: false },
  };
  const sentence = 'Noa (agent 1) is under a usage limit: 5-hour limit reached.';
  const needs = { severity: 'stuck', sentence, since: inSeconds(0), item_id: 9_001 };
  /** @param {{ id: number }} agent */
  const limited = (agent) => (agent.id === 1 ? { ...agent, state: 'limited', limit, needs } : agent);
  await answerWith(page, [
    [AGENTS, (answer) => ({ ...answer, agents: answer.agents.map(limited) })],
    [/\/api\/inbox/, (answer) => ({ ...answer, items: [inboxItem(sentence, {}), ...answer.items] })],
  ]);
  await page
    .getByText(/Usage limit reached/)
    .first()
    .waitFor();
}

/**
 * Shows three agents with the policy "Automatic". The countdown of the first agent runs, Baton holds back the handoff
 * of the second, and the third agent asks for a handoff.
 *
 * @param {Page} page
 */
async function countDown(page) {
  const none = { countdown: null, snoozed_until: null, cancelled: false, held: null, requested: null };
  const since = inSeconds(0);
  const states = [
    { ...none, countdown: { trigger: 'threshold', began_at: since, due_at: inSeconds(50) } },
    { ...none, held: { why: 'uncommitted', sentence: 'docs/retry.md has uncommitted changes', since } },
    { ...none, requested: { reason: 'the next step needs a fresh context', at: since } },
  ];
  await answerWith(page, [
    [
      AGENTS,
      (answer) => {
        const idle = answer.agents.filter(
          (/** @type {any} */ agent) =>
            // The card of an agent whose handoff has failed shows only that handoff.
            agent.state === 'idle' &&
            agent.persona !== null &&
            agent.run_id === null &&
            agent.needs?.severity !== 'failed',
        );
        for (const [index, agent] of idle.slice(0, 3).entries())
          Object.assign(agent, {
            auto_handoff: states[index],
            handoff_policy: { ...agent.handoff_policy, mode: 'auto', from: 'persona' },
          });
        return answer;
      },
    ],
  ]);
  await page
    .getByText(/Automatic handoff in/)
    .first()
    .waitFor();
}

/** @param {Page} page */
async function findSessions(page) {
  const seen = inSeconds(-180);
  const session = {
    ...{ runtime: 'claude-code', transcript_path: null, pid: 4242, ended_at: null, alive: true },
    ...{ first_seen_at: seen, last_seen_at: seen, why_not: null, default_persona: null },
  };
  const tmux = { socket: '/tmp/tmux-1000/default', pane: '%3' };
  const candidates = [
    { ...session, session_id: '5f1c2d7e-0b7a-4a53-9a52-3a8e3f0f4a11', folder: '/home/you/checkout-service', tmux },
    {
      ...session,
      ...{ session_id: 'a90be614-7c02-4d0e-8a3f-5b1d2c9e7f60', folder: '/home/you/docs-site', tmux: null },
      why_not: 'This session does not run in tmux. Start the next one in tmux to adopt it.',
    },
  ];
  await answerWith(page, [[/\/api\/candidates$/, () => ({ candidates })]]);
  await page.getByRole('heading', { name: 'External sessions' }).waitFor();
}

/** A package that its receiver has not opened. @param {Page} page */
async function stickPackage(page) {
  const sentence = 'Ada (agent 3) was notified of HO-2026-002 12 min ago and has not opened it.';
  const stuck = inboxItem(sentence, { agent_id: 3, package_id: 'HO-2026-002', offers: ['remind', 'reassign'] });
  await answerWith(page, [[/\/api\/inbox/, (answer) => ({ ...answer, items: [stuck, ...answer.items] })]], '/inbox');
  await page
    .getByRole('button', { name: /^Reassign/ })
    .first()
    .waitFor();
  await settle(page);
}
