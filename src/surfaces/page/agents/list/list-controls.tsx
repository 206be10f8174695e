import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../../contract/resources.ts';
import type { AgentOrder } from '../../../../contract/words/agent-orders.ts';
import { personasQuery, projectsQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { classes } from '../../parts/class-names.ts';
import { Select, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { stateInWords } from '../state-words.ts';
import { ALL_AGENTS, isFiltered, type LiveFilter } from './arrange-agents.ts';
import type { AgentGrouping, ListLook } from './list-look.ts';

const LIVE_STATES: readonly Agent['state'][] = ['awaiting_input', 'working', 'idle', 'limited', 'starting', 'unknown'];

const SORTS: Readonly<Record<AgentOrder, string>> = {
  need: 'Sort: need',
  name: 'Sort: name',
  project: 'Sort: project',
  context: 'Sort: context use',
  active: 'Sort: last active',
  started: 'Sort: started',
};

const GROUPS: Readonly<Record<AgentGrouping, string>> = {
  none: 'No groups',
  project: 'Group: project',
  persona: 'Group: persona',
  state: 'Group: state',
};

interface FilterProps {
  readonly filter: LiveFilter;
  readonly onFilter: (filter: LiveFilter) => void;
  /** Whether the list offers a filter by state. False for the list of ended agents. */
  readonly hasStates: boolean;
}

interface Props extends FilterProps {
  readonly look: ListLook;
  readonly onLook: (change: Partial<ListLook>) => void;
}

/**
 * Search, filters, order and layout of the list of agents. A phone shows only the search and a button that opens the
 * other controls.
 */
export function ListControls({ look, onLook, ...filters }: Props) {
  const { filter, onFilter, hasStates } = filters;
  const [isOpen, setOpen] = useState(false);
  return (
    <search aria-label="Filter agents" className="mb-4 flex flex-wrap items-center gap-2">
      <TextInput
        type="search"
        data-search=""
        aria-label="Search agents"
        placeholder="Search agents"
        className="min-w-40 flex-1 basis-40 md:max-w-80 md:max-2xl:min-w-24 md:max-2xl:basis-24 md:max-2xl:px-2 md:max-2xl:text-sm"
        value={filter.q}
        onChange={({ target }) => onFilter({ ...filter, q: target.value })}
      />
      <Button className="md:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {hasStates ? 'Filter and sort' : 'Filter'}
      </Button>
      <div className={classes('flex flex-wrap items-center gap-2 md:contents', !isOpen && 'max-md:hidden')}>
        <AgentFilters {...filters} />
        {hasStates && (
          <>
            <Choice
              showsWhole
              label="Sort agents"
              value={look.sort}
              options={Object.entries(SORTS)}
              onChange={(sort) => onLook({ sort: sort as AgentOrder })}
            />
            <Choice
              showsWhole
              label="Group agents"
              value={look.group}
              options={Object.entries(GROUPS)}
              onChange={(group) => onLook({ group: group as AgentGrouping })}
            />
            <ViewSwitch view={look.view} onView={(view) => onLook({ view })} />
          </>
        )}
      </div>
    </search>
  );
}

function AgentFilters({ filter, onFilter, hasStates }: FilterProps) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: personas = [] } = useQuery(personasQuery);
  const change = (part: Partial<LiveFilter>): void => onFilter({ ...filter, ...part });
  return (
    <>
      {hasStates && (
        <Choice
          label="State"
          value={filter.state}
          options={[['', 'All states'], ...LIVE_STATES.map((state) => [state, stateInWords(state)] as const)]}
          onChange={(state) => change({ state })}
        />
      )}
      <Choice
        label="Project"
        value={filter.project}
        options={[['', 'All projects'], ...projects.map(({ id, name }) => [String(id), name] as const)]}
        onChange={(project) => change({ project })}
      />
      <Choice
        label="Persona"
        value={filter.persona}
        options={[
          ['', 'All personas'],
          ...personas.map(({ slug, name, role }) => [slug, `${name} · ${role}`] as const),
        ]}
        onChange={(persona) => change({ persona })}
      />
      {isFiltered(filter) && (
        <Button small kind="quiet" onClick={() => onFilter(ALL_AGENTS)}>
          Clear filters
        </Button>
      )}
    </>
  );
}

const Choice = ({
  label,
  value,
  options,
  onChange,
  showsWhole = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
  /**
   * True if the select box is as wide as its longest option. False if the width of the box is limited, because the
   * names in the options may be long.
   */
  readonly showsWhole?: boolean;
}) => (
  <Select
    aria-label={label}
    value={value}
    className={classes(
      'w-auto! md:max-2xl:px-2 md:max-2xl:text-sm',
      showsWhole ? 'max-w-full' : 'max-w-40 md:max-2xl:max-w-32',
    )}
    onChange={({ target }) => onChange(target.value)}
  >
    {options.map(([each, words]) => (
      <option key={each} value={each}>
        {visible(words)}
      </option>
    ))}
  </Select>
);

const VIEWS = [
  ['cards', 'Cards'],
  ['list', 'List'],
] as const;

const ViewSwitch = ({
  view,
  onView,
}: {
  readonly view: ListLook['view'];
  readonly onView: (view: ListLook['view']) => void;
}) => (
  <fieldset className="ml-auto flex rounded-lg border border-line-strong p-0.5">
    <legend className="sr-only">View</legend>
    {VIEWS.map(([each, word]) => (
      <button
        key={each}
        type="button"
        aria-pressed={each === view}
        onClick={() => onView(each)}
        className={classes(
          'min-h-[44px] rounded-md px-3 text-sm md:min-h-8',
          each === view ? 'bg-accent-soft font-semibold text-accent' : 'text-muted hover:text-ink',
        )}
      >
        {word}
      </button>
    ))}
  </fieldset>
);
