import type { Agent } from '../../../contract/resources.ts';
import { AGENT_ORDERS } from '../../../contract/words/agent-orders.ts';
import { withoutAgent } from '../../../contract/words/shorten-paths.ts';
import { stateInWords } from '../agents/state-words.ts';

/** One line of the command palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly group: 'Agents' | 'Pages' | 'Actions';
  readonly title: string;
  readonly note: string;
  readonly to?: string;
  readonly action?: 'start' | 'help';
}

const page = (title: string, to: string, note = ''): PaletteEntry => ({ key: to, group: 'Pages', title, note, to });

const PAGES: readonly PaletteEntry[] = [
  page('Agents', '/'),
  page('Ended agents', '/?tab=ended'),
  page('Inbox', '/inbox', 'what needs you'),
  page('Handoffs', '/runs'),
  page('Packages', '/packages'),
  page('Workflows', '/packages/workflows'),
  page('Search', '/search', 'documents, decisions, packages, prompts'),
  page('Personas', '/personas'),
  page('Worktrees', '/worktrees'),
  page('Usage', '/usage'),
  page('Activity', '/activity', 'the event log'),
  page('Settings', '/settings'),
];

const MACHINES = page('Machines', '/machines', 'the fleet');

const ACTIONS: readonly PaletteEntry[] = [
  { key: 'start', group: 'Actions', title: 'Start agent', note: '', action: 'start' },
  { key: 'new package', group: 'Actions', title: 'New package', note: '', to: '/packages/new' },
  { key: 'help', group: 'Actions', title: 'Keyboard shortcuts', note: '?', action: 'help' },
];

/**
 * Removes the agent's name from the beginning of a sentence, because the agent's line in the palette already begins
 * with the name.
 */
const withoutName = (sentence: string, agent: Pick<Agent, 'label' | 'id'>): string =>
  withoutAgent(sentence, agent).replace(` of ${agent.label} (agent ${agent.id})`, '');

const entryOf = ({ id, label, persona, project, state, needs }: Agent): PaletteEntry => ({
  key: `agent ${id}`,
  group: 'Agents',
  title: `${label} · agent ${id}`,
  note: [
    needs && needs.severity !== 'notice' ? withoutName(needs.sentence, { label, id }) : stateInWords(state),
    project.name,
    persona?.role,
    persona?.slug,
  ]
    .filter(Boolean)
    .join(' · '),
  to: `/agents/${id}`,
});

/** Returns an entry that searches documents, decisions, packages and prompts for the text. */
const searchFor = (text: string): PaletteEntry => ({
  key: 'search',
  group: 'Actions',
  title: `Search for “${text}”`,
  note: 'documents, decisions, packages, prompts',
  to: `/search?q=${encodeURIComponent(JSON.stringify(text))}`,
});

/**
 * If the text is the number of a package or a handoff, such as HO-2026-003 or handoff 7, returns an entry that opens
 * this package or handoff.
 */
function byNumber(text: string): readonly PaletteEntry[] {
  const [id] = /^HO-\d{4}-\d{3,}$/.exec(text.toUpperCase()) ?? [];
  const [, run] = /^handoff (\d+)$/i.exec(text) ?? [];
  const [title, to] = id !== undefined ? [`Package ${id}`, `/packages/${id}`] : [`Handoff ${run}`, `/runs/${run}`];
  return id === undefined && run === undefined ? [] : [{ key: to, group: 'Actions', title, note: 'open', to }];
}

const MAX_AGENTS = 8;

/** Returns an entry that says how many agents the palette leaves out, and opens the page of all agents. */
const moreAgents = (count: number): readonly PaletteEntry[] =>
  count <= 0
    ? []
    : [
        {
          key: 'more agents',
          group: 'Agents',
          title: `${count} more ${count === 1 ? 'agent' : 'agents'}`,
          note: 'type a name or a number, or open the Agents page',
          to: '/',
        },
      ];

/**
 * Returns the lines that contain every word of the typed text. Agents come first, with the most urgent agent at the
 * top, and then pages and actions. If the text is the number of an agent, this agent comes before all others.
 */
export function paletteEntries(agents: readonly Agent[], text: string, isInFleet = false): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = ({ title, note }: PaletteEntry): boolean => {
    const line = `${title} ${note}`.toLowerCase();
    return words.every((word) => line.includes(word));
  };
  const named = Number(/^(?:agent[ -]?)?(\d+)$/.exec(text.trim().toLowerCase())?.[1]);
  const isNamed = (agent: Agent): number => Number(agent.id === named);
  const found = agents
    .toSorted((one, other) => isNamed(other) - isNamed(one) || AGENT_ORDERS.need(one, other))
    .map(entryOf)
    .filter(isWanted);
  const more = found.length - MAX_AGENTS;
  const pages = isInFleet ? [...PAGES, MACHINES] : PAGES;
  const listed = [
    ...found.slice(0, MAX_AGENTS),
    // Show this entry only if nothing is typed, because it leads to the page Agents, which lists all agents and not
    // only those that match.
    ...(words.length === 0 ? moreAgents(more) : []),
    ...pages.filter(isWanted),
    ...byNumber(text.trim()),
    ...ACTIONS.filter(isWanted),
  ];
  return words.length === 0 ? listed : [...listed, searchFor(text.trim())];
}
