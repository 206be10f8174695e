import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FROM_AFAR, LOCAL } from '../../../../src/contract/words/machine-commands.ts';
import { RUN_ACTIONS } from '../../../../src/domain/handoffs/run.ts';
import { createRouter } from '../../../../src/surfaces/http/server/find-route.ts';
import { ROUTES } from '../../../../src/surfaces/http/server/routes.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

const findRoute = createRouter(ROUTES);
let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);

/** The names of the subcommands in a help text. */
async function subcommandsOf(...argv: string[]): Promise<readonly string[]> {
  const { stdout } = await run(...argv, '--help');
  const sections = stdout
    .split(/^(?=\S)/m)
    .filter((section) => !/^(?:Usage|Options|Arguments|Examples?)\b/.test(section));
  return sections
    .flatMap((section) => [...section.matchAll(/^ {2}([a-z][a-z-]*)(?:, ([a-z-]+))?(?: |$)/gm)])
    .flatMap(([, name = '', alias]) => (alias === undefined ? [name] : [name, alias]))
    .filter((name) => name !== 'help');
}

/** The arguments that a subcommand needs after the id. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'agent answer': ['--choice', '1'],
  'agent give-persona': ['developer-con-1'],
  'agent send': ['hello'],
  'handoff adopt': ['notes.md'],
  'handoff message': ['hello'],
  'handoff send-back': ['more, please'],
  'package answer': ['Q1=yes'],
  'package decide': ['approve'],
  'package decline': ['--code', 'capability', '--reason', 'none'],
  'package fail': ['--cause', 'none'],
  'package reassign': ['ann'],
  'package return': ['work.yaml'],
  'package waive': ['HP005', '--why', 'a spike', '--until', '2027-01-01T00:00:00Z'],
};
/**
 * The subcommands without an id. `package new` has a file name in place of the id, and would write this file into the
 * repository.
 */
const WITHOUT_ID = new Set(['agent list', 'events ', 'handoff list', 'inbox list', 'package list', 'package new']);

/**
 * Runs a command with `--machine laptop`. Returns true if the command sends requests, and Baton's API has a route for
 * each request.
 */
async function worksFromAfar(root: string, verb: string): Promise<boolean> {
  const name = `${root} ${verb}`;
  const id = WITHOUT_ID.has(name) ? [] : [root === 'package' ? 'HO-2026-001' : '7'];
  baton.seen.splice(0);
  const words = [root, ...(verb === '' ? [] : [verb]), ...id, ...(MORE[name] ?? []), '--machine', 'laptop'];
  await runInHome(baton.home, words, { stdin: 'yes\n', tty: true });
  const seen = baton.seen.map(({ method, url }) => findRoute(method, url.split('?', 1)[0] ?? ''));
  return seen.length > 0 && seen.every((route) => route !== undefined);
}

/** A package that waits for a decision, with an artifact. */
const aGate = {
  id: 'HO-2026-001',
  uid: 'u',
  type: 'gate',
  from: 'developer-con-1',
  to: 'operator',
  state: 'pending',
  over: false,
  owner: 'human',
  waiter: 'human',
  revision: 1,
  summary: 'May I publish it?',
  deadline_at: null,
  project_id: 1,
  created_at: '2026-11-18T12:00:00.000Z',
  updated_at: '2026-11-18T12:00:00.000Z',
  package: {},
  content_sha256: 'c',
  seen: 's',
  artifacts: { 'docs/api.md': 'a' },
  lineage: { parent: null, root: 'HO-2026-001', hop: 0, supersedes: null, returns_for: null },
  constraints: [],
  criteria: [],
  round: 0,
  questions: [],
  answers: [],
  gate: null,
  decision: null,
  outcome: null,
  acknowledgement: null,
  results: [],
  cause: null,
  superseded_by: null,
  findings: [],
  waivers: [],
  read_at: null,
  accepted_at: null,
  run_id: null,
  held_up: null,
  archive: null,
};

beforeEach(async () => {
  baton = new FakeBaton();
  const actions = RUN_ACTIONS.map((action) => ({ action, title: action, confirm: null }));
  baton.answer('GET /api/machines/laptop/runs/7', aRun({ actions }));
  await baton.listen();
});
afterEach(() => baton.remove());

describe('commands in sentences about another machine', () => {
  it.each(Object.keys(FROM_AFAR))(
    'the `baton %s` subcommands that accept --machine are those whose routes can be called for another machine',
    async (root) => {
      const { afar = [], local = [] } = FROM_AFAR[root] ?? {};
      const all = [...afar, ...local].filter((verb) => verb !== '');
      expect(all.toSorted()).toEqual((await subcommandsOf(root)).toSorted());
      const works: string[] = [];
      for (const verb of [...afar, ...local]) if (await worksFromAfar(root, verb)) works.push(verb);
      expect(works).toEqual(afar);
    },
  );

  it('every command of Baton is in one of two lists: usable or not usable for another machine', async () => {
    expect([...Object.keys(FROM_AFAR), ...LOCAL].toSorted()).toEqual((await subcommandsOf()).toSorted());
  });

  it('the note about a changed artifact names the machine if the package is on another machine', async () => {
    baton.answer('GET /api/machines/laptop/packages/HO-2026-001', aGate);
    const artifact = { path: 'docs/api.md', sealed: 'a', now: 'b', state: 'changed' };
    const report = { blocked: false, findings: [], unusable: [], folder: null, artifacts: [artifact] };
    baton.answer('GET /api/machines/laptop/packages/HO-2026-001/report', report);
    const { stdout, stderr } = await run('package', 'show', 'laptop/HO-2026-001');
    expect([stdout, stderr].join()).toContain(
      'docs/api.md (changed since it was submitted; see: baton package contents HO-2026-001 --machine laptop)',
    );
  });

  it('the error about a changed artifact suggests commands for the machine of the package', async () => {
    const text = { text: null, why_not: 'none' };
    const artifact = { path: 'docs/api.md', state: 'changed', sealed: text, now: text, diff: null };
    baton.answer('GET /api/machines/laptop/packages/HO-2026-001/contents', { artifacts: [artifact], seen: 'x' });
    const at = '2026-11-18T12:00:00.000Z';
    baton.answer('GET /api/machines/laptop/packages/HO-2026-001', {
      ...{ id: 'HO-2026-001', uid: 'u', type: 'gate', from: 'developer-con-1', to: 'human', state: 'pending' },
      ...{ over: false, owner: 'sender', waiter: 'human', revision: 1, summary: 'May I?', deadline_at: null },
      ...{ project_id: 1, created_at: at, updated_at: at },
    });
    const { code, stderr } = await run('package', 'decide', 'laptop/HO-2026-001', 'approve');
    expect(code).toBe(1);
    expect(stderr).toContain('Read what changed: baton package contents HO-2026-001 --machine laptop.');
    expect(stderr).toContain('baton package decide HO-2026-001 --machine laptop approve --seen VALUE');
  });
});
