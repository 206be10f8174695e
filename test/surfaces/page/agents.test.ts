import { describe, expect, it } from 'vitest';
import type { Agent, InboxItem } from '../../../src/contract/resources.ts';
import { agentIn } from '../../../src/surfaces/page/activity/agent-in.ts';
import { ALL_AGENTS, arranged, isShown, twinsIn } from '../../../src/surfaces/page/agents/list/arrange-agents.ts';
import { readLook } from '../../../src/surfaces/page/agents/list/list-look.ts';
import { needsList } from '../../../src/surfaces/page/agents/needs/needs-list.ts';
import { badgeOf } from '../../../src/surfaces/page/agents/state-words.ts';
import { paletteEntries } from '../../../src/surfaces/page/keyboard/palette-entries.ts';
import { shortcutOf } from '../../../src/surfaces/page/keyboard/shortcuts.ts';
import { agentNews } from '../../../src/surfaces/page/shell/news/agent-news.ts';

type Severity = NonNullable<Agent['needs']>['severity'];

const needs = (severity: Severity, item_id: number | null = null): Agent['needs'] => ({
  severity,
  sentence: `It is ${severity}.`,
  since: '2026-01-01T00:00:00Z',
  item_id,
});

const agent = (id: number, over: Partial<Agent> = {}): Agent =>
  ({
    id,
    label: `Con${id}`,
    runtime: 'practice',
    state: 'idle',
    persona: { slug: `coder-con-${id}`, name: `Con${id}`, role: 'coder' },
    project: { id: 1, name: 'shop', path: '/shop' },
    context: null,
    last_seen_at: '2026-01-01T00:00:00Z',
    ended_at: null,
    needs: null,
    ...over,
  }) as unknown as Agent;

const item = (id: number, severity: Severity, over: Partial<InboxItem> = {}): InboxItem =>
  ({ id, severity, agent_id: null, opened_at: '2026-01-01T00:00:00Z', ...over }) as InboxItem;

describe('the list of agents and items that need the operator', () => {
  it('[D8] agents and inbox items of all projects are listed on the page in order of severity', () => {
    const agents = [
      agent(1),
      agent(2, { needs: needs('handoff') }),
      agent(3, { needs: needs('question', 11), project: { id: 2, name: 'zoo', path: '/zoo' } }),
      agent(4, { needs: needs('notice', 12) }),
    ];
    const items = [
      item(10, 'failed', { agent_id: 99 }),
      item(11, 'question', { agent_id: 3 }),
      item(12, 'notice', { agent_id: 4 }),
      item(13, 'decision', { package_id: 'HO-2026-001' }),
    ];
    expect(needsList(agents, items).map(({ key }) => key)).toEqual(['item 10', 'agent 3', 'item 13', 'agent 2']);
  });

  it('[D8] if the inbox has an item about the sender of a gate in addition to the gate, the page lists both the gate and the sender', () => {
    const sender = agent(1, { needs: needs('decision', 13) });
    const items = [item(13, 'decision', { package_id: 'HO-2026-001' }), item(14, 'handoff', { agent_id: 1 })];
    expect(needsList([sender], items).map(({ key }) => key)).toEqual(['item 13', 'agent 1']);
  });

  it('[D8] a failed handoff is shown on the card of the successor if the successor is alive', () => {
    const successor = agent(2, { needs: needs('failed', 15) });
    expect(needsList([successor], [item(15, 'failed', { agent_id: 1 })]).map(({ key }) => key)).toEqual(['agent 2']);
  });

  it('[D8] if the sender of a gate waits only for the gate, the page lists the gate but not the sender', () => {
    const sender = agent(1, { needs: needs('decision', 13) });
    const gate = item(13, 'decision', { package_id: 'HO-2026-001' });
    expect(needsList([sender], [gate]).map(({ key }) => key)).toEqual(['item 13']);
  });
});

describe('the badge of an agent', () => {
  it('[D8] if the handoff of an idle agent failed, the badge of the agent says so', () => {
    expect(badgeOf(agent(1), { step: 'failed' })).toEqual({ tone: 'red', word: 'Handoff failed' });
    expect(badgeOf(agent(1, { needs: needs('stuck') })).word).toBe('Stuck');
    expect(badgeOf(agent(1))).toEqual({ tone: 'green', word: 'Idle' });
  });
});

describe('the list of agents on the page', () => {
  const agents = [
    agent(1, { label: 'Mira' }),
    agent(2, { label: 'Ada', state: 'working', project: { id: 2, name: 'zoo', path: '/zoo' } }),
    agent(3, { label: 'Ada', needs: needs('stuck') }),
  ];
  const ids = (filter: Partial<typeof ALL_AGENTS>) =>
    agents.filter((each) => isShown(each, { ...ALL_AGENTS, ...filter })).map(({ id }) => id);

  it('the list of agents is filtered by text, number, state, project and persona', () => {
    expect(ids({ q: ' ADA ' })).toEqual([2, 3]);
    expect(ids({ q: 'agent 3' })).toEqual([3]);
    expect(ids({ q: 'zoo' })).toEqual([2]);
    expect(ids({ state: 'working' })).toEqual([2]);
    expect(ids({ project: '1' })).toEqual([1, 3]);
    expect(ids({ persona: 'coder-con-1' })).toEqual([1]);
  });

  it('the list of agents is grouped by project, persona or state', () => {
    const shape = (...args: [Parameters<typeof arranged>[1], Parameters<typeof arranged>[2]]) =>
      arranged(agents, ...args).map(({ title, agents: its }) => [title, its.map(({ id }) => id)]);
    expect(shape('need', 'none')).toEqual([['', [3, 1, 2]]]);
    expect(shape('name', 'project')).toEqual([
      ['shop', [3, 1]],
      ['zoo', [2]],
    ]);
    expect(shape('started', 'state')).toEqual([
      ['Idle', [1, 3]],
      ['Working', [2]],
    ]);
  });

  it('[D15] if two agents have the same name, their cards show their numbers', () => {
    expect([...twinsIn(agents)]).toEqual([2, 3]);
  });

  it('the page restores the stored order and grouping of the agents, but ignores invalid values', () => {
    expect(readLook('{"view":"list","sort":"context","group":"state"}')).toEqual({
      view: 'list',
      sort: 'context',
      group: 'state',
    });
    const usual = { view: 'cards', sort: 'need', group: 'none' };
    for (const kept of [null, 'no JSON', 'null', '{"view":1,"sort":"toString","group":"luck"}'])
      expect(readLook(kept)).toEqual(usual);
  });
});

describe('keyboard shortcuts', () => {
  const press = (key: string, over = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...over });
  const free = { isTyping: false, isSearch: false };

  it('Ctrl K or Command K opens the command palette', () => {
    expect(shortcutOf(press('k', { ctrlKey: true }), free)).toBe('palette');
    expect(shortcutOf(press('K', { metaKey: true }), free)).toBe('palette');
    expect(['?', '/', 'j', 'k', 'Enter', 'x'].map((key) => shortcutOf(press(key), free))).toEqual([
      'help',
      'search',
      'next',
      'previous',
      'open',
      null,
    ]);
    expect(shortcutOf(press('j', { ctrlKey: true }), free)).toBeNull();
  });

  it('while the operator types, keyboard shortcuts are off', () => {
    const typing = { isTyping: true, isSearch: false };
    expect(['?', '/', 'j', 'k', 'Enter', 'Escape'].map((key) => shortcutOf(press(key), typing))).toEqual(
      Array(6).fill(null),
    );
    expect(shortcutOf(press('k', { ctrlKey: true }), typing)).toBeNull();
    const searching = { isTyping: true, isSearch: true };
    expect(['?', '/', 'j', 'k', 'Enter'].map((key) => shortcutOf(press(key), searching))).toEqual(Array(5).fill(null));
    expect(shortcutOf(press('Escape'), searching)).toBe('leave');
    expect(shortcutOf(press('k', { ctrlKey: true }), searching)).toBe('palette');
  });

  it('[D8] in the command palette, the agent with the most severe need is the first', () => {
    const agents = [agent(1), agent(2, { needs: needs('question') })];
    expect(paletteEntries(agents, '')[0]?.key).toBe('agent 2');
    expect(paletteEntries([...agents, agent(12, { needs: needs('failed') })], 'agent 1')[0]?.key).toBe('agent 1');
    expect(paletteEntries(agents, 'con1 shop').map(({ key }) => key)).toEqual(['agent 1', 'search']);
    expect(paletteEntries(agents, 'ended')[0]?.to).toBe('/?tab=ended');
    expect(paletteEntries(agents, 'start agent')[0]?.action).toBe('start');
  });
});

it('the command palette says how many agents it leaves out, and does not repeat the name of an agent', () => {
  const agents = Array.from({ length: 10 }, (_, index) => agent(index + 1));
  expect(paletteEntries(agents, '').filter(({ group }) => group === 'Agents')).toHaveLength(9);
  expect(paletteEntries(agents, '')[8]).toMatchObject({ title: '2 more agents', to: '/' });
  expect(paletteEntries(agents, 'shop').filter(({ group }) => group === 'Agents')).toHaveLength(8);
  const one = agent(3);
  const sentence = `The document of ${one.label} (agent 3) waits for you.`;
  const named = agent(3, { needs: { severity: 'failed', sentence, since: '2026-01-01T00:00:00Z', item_id: null } });
  expect(paletteEntries([named], '')[0]?.note).toContain('The document waits for you.');
});

it('the command palette opens a package or a handoff by its number', () => {
  expect(paletteEntries([], 'ho-2026-003')[0]).toMatchObject({
    title: 'Package HO-2026-003',
    to: '/packages/HO-2026-003',
  });
  expect(paletteEntries([], 'Handoff 7')[0]).toMatchObject({ title: 'Handoff 7', to: '/runs/7' });
  expect(paletteEntries([], 'handoff')[0]?.to).toBe('/runs');
});

describe('the live region for screen readers', () => {
  const known = (...states: readonly string[]) => new Map(states.map((state, at) => [`Con, agent ${at + 1}`, state]));

  it('the page announces to screen readers each agent whose state changed', () => {
    expect(agentNews(undefined, known('Idle'))).toBe('');
    expect(agentNews(known('Idle'), known('Idle'))).toBe('');
    expect(agentNews(known('Idle', 'Working'), known('Working', 'It asks.'))).toBe(
      'Con, agent 1: Working. Con, agent 2: It asks.',
    );
    expect(agentNews(known(), known('a', 'b', 'c', 'd'))).toBe('4 agents changed their state.');
  });
});

describe('the agent filter of the activity page', () => {
  it('[D16] the agent filter takes a number from the typed text and ignores a name without a number', () => {
    expect(['12', 'Agent 12 · Con, ended', 'agent 7', 'Con', ''].map(agentIn)).toEqual([12, 12, 7, null, null]);
  });
});
