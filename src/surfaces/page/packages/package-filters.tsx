import { useQuery } from '@tanstack/react-query';
import { PACKAGE_STATES, stateLook } from '../../../contract/words/package-state-words.ts';
import { ALL_PACKAGES, type PackageFilter } from '../api/package-queries.ts';
import { usePartyNames } from '../api/party-names.ts';
import { personasQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Field, Select, TextInput } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { PACKAGE_TYPES } from './package-words.ts';

interface Props {
  readonly filter: PackageFilter;
  readonly onFilter: (filter: PackageFilter) => void;
  /**
   * The names of agents that appear in the listed packages. The filter offers them together with the names of the
   * personas.
   */
  readonly names: readonly string[];
}

export function PackageFilters({ filter, onFilter, names }: Props) {
  const { data: personas = [] } = useQuery(personasQuery);
  const agents = [...new Set([...personas.map(({ slug }) => slug), ...names, filter.agent])].filter(Boolean).sort();
  const called = usePartyNames();
  const isFiltered = Object.values(filter).some((each) => each !== '');
  const change = (name: keyof PackageFilter) => (event: { readonly target: { readonly value: string } }) =>
    onFilter({ ...filter, [name]: event.target.value });
  return (
    <search
      aria-label="Filter packages"
      className="mb-2 grid grid-cols-2 gap-x-3 lg:grid-cols-[1fr_1fr_1fr_1.5fr_auto]"
    >
      <Field label="State">
        {(ids) => (
          <Select {...ids} value={filter.state} onChange={change('state')}>
            <option value="">All states</option>
            <option value="open">Open</option>
            {PACKAGE_STATES.map((state) => (
              <option key={state} value={state}>
                {stateLook(state).word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Type">
        {(ids) => (
          <Select {...ids} value={filter.type} onChange={change('type')}>
            <option value="">All types</option>
            {PACKAGE_TYPES.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="From or to">
        {(ids) => (
          <Select {...ids} value={filter.agent} onChange={change('agent')}>
            <option value="">Anyone</option>
            {agents.map((name) => (
              <option key={name} value={name}>
                {visible(called(name))}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Search text">
        {(ids) => <TextInput {...ids} type="search" value={filter.text} onChange={change('text')} />}
      </Field>
      <Button
        kind="quiet"
        disabled={!isFiltered}
        className={classes('col-span-2 mb-4 self-end lg:col-span-1', !isFiltered && 'max-lg:hidden')}
        onClick={() => onFilter(ALL_PACKAGES)}
      >
        Clear filters
      </Button>
    </search>
  );
}
