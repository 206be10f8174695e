import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passKnowledge } from '../../../../src/app/handoffs/pass-knowledge.ts';
import { fillStep } from '../../../../src/app/search/fill-index.ts';
import type { SearchHit, SearchResult } from '../../../../src/contract/history/search.ts';
import type { InboxItem } from '../../../../src/contract/resources.ts';
import { aRun } from '../../../adapters/stores/store-contract.ts';
import { delegation, gatePackage, PackageScene } from '../packages/package-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const search = (query: string): Promise<SearchResult> =>
  scene.api.get<SearchResult>(`/api/search?${new URLSearchParams(query).toString()}`);
const hits = async (q: string, more: Record<string, string> = {}): Promise<readonly SearchHit[]> =>
  (await scene.api.get<SearchResult>(`/api/search?${new URLSearchParams({ q, ...more })}`)).hits;
const marked = ({ excerpt }: SearchHit): string => excerpt.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');
const typed = (excerpt: string): Promise<void> =>
  scene.world.record({
    type: 'prompt_submitted',
    agentId: scene.con.id,
    promptId: 'p-1',
    ref: null,
    excerpt,
    textHash: 'hash',
  });
const keys = (found: readonly SearchHit[]) => found.map(({ kind, title }) => [kind, title]);

describe('GET /api/search', () => {
  it('the search finds a package by words of the summary, and gives an excerpt and a link to the package', async () => {
    await scene.create(scene.con, delegation({ context: { summary: 'Move the retry budget into the settings file' } }));
    const [hit] = await hits('retry budget');
    expect(hit).toMatchObject({ kind: 'package', package_id: 'HO-2026-001', page: '#/packages/HO-2026-001' });
    expect(hit?.title).toBe('Package HO-2026-001 from Con to Ann');
    expect(marked(hit as SearchHit)).toContain('Move the [retry] [budget] into the settings file');
  });

  it('the search finds a prompt that a person typed in the terminal, and names the agent that got the prompt', async () => {
    await typed('Please use exponential backoff');
    expect(keys(await hits('backoff'))).toEqual([['prompt', `Prompt to Con (agent ${scene.con.id})`]]);
    expect(await hits('backoff', { kind: 'document' })).toEqual([]);
    expect(await hits('backoff', { persona: 'con' })).toHaveLength(1);
    expect(await hits('backoff', { since: '2100-01-01' })).toEqual([]);
  });

  it('a search for two word beginnings finds only texts with both, and a repeated word does not change the result', async () => {
    await typed('Please use exponential backoff');
    await typed('An exporter that backs off');
    expect((await hits('expo* backo* backo* use use')).map(marked)).toEqual(['Please [use] [exponential] [backoff]']);
    expect(await hits('expo* zeb*')).toEqual([]);
  });

  it("the search finds a person's decision by a word of the reason, and names the package", async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await scene.post('operator', `/${body.id}/decide`, {
      option: 'reject',
      reason: 'The migration must be reversible',
      seen: body.seen,
    });
    const [hit] = await hits('reversible', { kind: 'decision' });
    expect(hit).toMatchObject({ title: `Decision in package ${body.id}`, package_id: body.id });
  });

  it('the search finds a handoff document and its section of decisions, and gives the line number of each hit', async () => {
    const { world } = scene;
    world.documentText =
      '# Handoff\n\nThe importer works.\n\n## Decisions\n\n- Use a bounded queue for the importer\n\n<!-- handoff-end:quagga -->\n';
    const result = { verdict: 'good', sha256: 'f'.repeat(64), bytes: 90, markerFound: true } as const;
    const { id } = await world.handOver(scene.con.id);
    const path = { path: 'd.md', absolutePath: '/h/d.md' };
    await world.ports.store.write((tx) => {
      const run = tx.runById(id);
      if (run !== undefined)
        tx.saveRun({ ...run, step: 'verifying', document: { ...path, sha256: null, bytes: null, markerFound: null } });
    });
    await world.record({ type: 'document_checked', runId: id, result, text: world.documentText });
    expect((await hits('importer')).map(({ kind, line, page }) => [kind, line, page])).toEqual([
      ['decision', 7, `#/runs/${id}?line=7`],
      ['document', 3, `#/runs/${id}?line=3`],
    ]);
    // The search must not find the end marker, because its token is the proof that an agent has read the document.
    expect(await hits('quagga')).toEqual([]);
    expect((await hits('importer')).map(marked).join()).not.toContain('handoff-end');
    const logged = scene.events().find(({ type }) => type === 'document_checked');
    expect(JSON.stringify(logged)).not.toContain('importer');
  });

  it('a secret cannot be found by the search, and an excerpt shows a redaction mark instead', async () => {
    const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    await typed(`Deploy with ${secret} from the vault today`);
    expect(await hits(secret)).toEqual([]);
    const [hit] = await hits('deploy vault');
    expect(marked(hit as SearchHit)).toContain('[redacted');
    expect(JSON.stringify(hit)).not.toContain(secret);
  });

  it('a secret that Baton learned after a text was indexed cannot be found by the search', async () => {
    await scene.create(scene.con, delegation({ context: { summary: 'The passphrase is aardvarkmirror, keep quiet' } }));
    expect(await hits('aardvarkmirror')).toHaveLength(1);
    scene.world.ports.secrets.learn([{ name: 'PASSPHRASE', value: 'aardvarkmirror' }]);
    expect(await hits('aardvarkmirror')).toEqual([]);
  });

  it.each([
    '"',
    '*',
    'a*',
    'NOT',
    'AND OR',
    '"unbalanced phrase',
    'words:retry',
    '(((',
    'NEAR(a b)',
    '^retry',
    '-retry',
    '\u0000',
    '"; DROP TABLE search_entries; --',
    '\uE000package',
    '\uD800',
    '%',
    'x'.repeat(5000),
    'w '.repeat(500),
  ])('[T7] the hostile search query %j gives results or one sentence, but no server error', async (q) => {
    const { status, body } = await scene.api.call<SearchResult & { error?: string }>(
      'GET',
      `/api/search?${new URLSearchParams({ q })}`,
    );
    expect([200, 400]).toContain(status);
    if (status === 200) expect(body.hits).toEqual([]);
    else expect(body.error).toMatch(/^[^\n]+$/);
  });

  it.each([
    ['kind=poem', 'Unknown kind'],
    ['since=yesterday', 'is not a time'],
    ['since=2026-11-16&until=2026-11-15', 'since "2026-11-16" is later than until "2026-11-15"'],
    ['limit=-1', 'limit "-1" is not a whole number from 1 to 100'],
    ['limit=0', 'limit "0" is not a whole number from 1 to 100'],
    ['persona=nobody', 'nobody'],
    ['project=99', 'Project "99" not found'],
  ])('the search refuses the filter %s with one sentence', async (filter, sentence) => {
    const { status, body } = await scene.api.call<{ error?: string }>('GET', `/api/search?q=word&${filter}`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body.error).toContain(sentence);
  });

  it('if two projects have the same name, the search refuses the name and takes the id or the folder', async () => {
    await typed('Please use exponential backoff');
    const { world, con } = scene;
    const first = world.ports.store.read((tx) => tx.projectById(con.projectId));
    const createdAt = con.startedAt;
    const { id } = await world.ports.store.write((tx) =>
      tx.insertProject({ name: first?.name ?? '', path: '/elsewhere', createdAt }),
    );
    const named = await scene.api.call<{ error?: string; code?: string }>(
      'GET',
      `/api/search?q=backoff&project=${first?.name}`,
    );
    expect([named.status, named.body.code]).toEqual([409, 'name_ambiguous']);
    expect(named.body.error).toContain(`${id} in /elsewhere`);
    expect(await hits('backoff', { project: String(con.projectId) })).toHaveLength(1);
    expect(await hits('backoff', { project: '/elsewhere' })).toEqual([]);
  });

  it('[T3] the search refuses a request from an agent', async () => {
    const token = scene.world.ports.agentToken(scene.con.sessionUuid);
    const { status } = await scene.api.call('GET', '/api/search?q=word', undefined, token);
    expect(status).toBe(403);
  });

  it('the search finds a lesson of a handoff document, and links to the lessons of the persona', async () => {
    const { world, con } = scene;
    await world.ports.store.write((tx) => {
      const knowledge = {
        points: [],
        closed: [],
        lessons: ['Run the linter before each commit'],
        beyond: { points: 0, lessons: 0 },
      };
      passKnowledge(tx, world.ports, tx.insertRun(aRun(con.id, { step: 'completed', knowledge })));
    });
    expect(await hits('linter', { kind: 'lesson', persona: 'con' })).toMatchObject([
      {
        kind: 'lesson',
        title: `Lesson from a handoff of Con (agent ${con.id})`,
        page: '#/personas/developer-con-1?tab=lessons',
        line: null,
      },
    ]);
    expect(await hits('linter', { kind: 'document' })).toEqual([]);
    const { items } = await scene.api.get<{ items: readonly InboxItem[] }>('/api/inbox');
    expect(items).toContainEqual(expect.objectContaining({ persona: 'developer-con-1', kind: 'notice' }));
  });

  it("once Baton has indexed an older home, the search finds the home's texts", async () => {
    await scene.create(scene.con, delegation({ context: { summary: 'A package from before the search existed' } }));
    const { store } = scene.world.ports;
    await store.write((tx) => {
      tx.saveSearchBacklog({ next: tx.lastSeq(), last: 1 });
      tx.indexText(
        { ...tx.searchTexts([[{ folded: 'existed', isPrefix: false }]], { limit: 1 })[0], text: null } as never,
        new Set(),
      );
    });
    expect(await search('q=existed')).toMatchObject({ hits: [], indexed_percent: 0 });
    while (await fillStep(scene.world.ports));
    const found = await search('q=existed');
    expect(found.indexed_percent).toBe(100);
    expect(found.hits.map(({ package_id }) => package_id)).toEqual(['HO-2026-001']);
  });
});
