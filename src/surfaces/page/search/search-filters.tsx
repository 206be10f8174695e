import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { personasQuery, projectsQuery } from '../api/queries.ts';
import type { SearchRequest } from '../api/search-query.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Field, Select, TextInput } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { KIND_WORDS } from './kind-words.ts';

interface Props {
  readonly wanted: SearchRequest;
  readonly onChange: (changed: Partial<SearchRequest>) => void;
}

/** How long the operator must stop typing before the search begins. Enter begins the search immediately. */
const PAUSE_MS = 200;

export function SearchFilters({ wanted, onChange }: Props) {
  const { data: personas = [] } = useQuery(personasQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const change = (name: keyof SearchRequest) => (event: { readonly target: { readonly value: string } }) =>
    onChange({ [name]: event.target.value });
  const { q: _words, ...filters } = wanted;
  const active = Object.values(filters).filter((value) => value !== '').length;
  const [isOpen, setOpen] = useState(active > 0);
  return (
    <search aria-label="Search history" className="mb-2 grid grid-cols-2 gap-x-3 lg:grid-cols-5">
      <div className="col-span-2 lg:col-span-5">
        <Words value={wanted.q} onChange={(q) => onChange({ q })} />
      </div>
      {/* A narrow page hides the filters, so that the hits begin near the top. */}
      <div className="col-span-2 mb-4 lg:hidden">
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {active > 0 ? `Filters (${active})` : 'Filters'}
        </Button>
      </div>
      <div className={classes('contents', !isOpen && 'max-lg:hidden')}>
        <div className="max-lg:col-span-2">
          <Field label="Kind">
            {(ids) => (
              <Select {...ids} value={wanted.kind} onChange={change('kind')}>
                <option value="">All kinds</option>
                {Object.entries(KIND_WORDS).map(([kind, word]) => (
                  <option key={kind} value={kind}>
                    {word}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Field label="Persona">
          {(ids) => (
            <Select {...ids} value={wanted.persona} onChange={change('persona')}>
              <option value="">All personas</option>
              {personas.map(({ slug, name }) => (
                <option key={slug} value={slug}>
                  {visible(
                    personas.some((each) => each.name === name && each.slug !== slug) ? `${name} (${slug})` : name,
                  )}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Project">
          {(ids) => (
            <Select {...ids} value={wanted.project} onChange={change('project')}>
              <option value="">All projects</option>
              {projects.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {visible(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="From day">
          {(ids) => <TextInput {...ids} type="date" value={wanted.since} onChange={change('since')} />}
        </Field>
        <Field label="To day">
          {(ids) => <TextInput {...ids} type="date" value={wanted.until} onChange={change('until')} />}
        </Field>
      </div>
    </search>
  );
}

/** A field that keeps its own text. Typing stays smooth, because the address of the page changes only after a pause. */
function Words({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <Field label="Words">
      {(ids) => (
        <TextInput
          {...ids}
          type="search"
          autoFocus
          maxLength={1000}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') onChange(text);
          }}
        />
      )}
    </Field>
  );
}
