import type { ReactNode } from 'react';
import type { Persona } from '../../../../contract/resources.ts';
import { classes } from '../../parts/class-names.ts';
import { Field, Select, TextArea, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { NEW_PERSONA, type StartRow } from './start-rows.ts';

interface Props {
  readonly row: StartRow;
  readonly personas: readonly Persona[];
  /** The chosen persona; null in a later row that uses the persona of the first row. */
  readonly chosen: string | null;
  /** A text for the end of each label, such as "(2 of 5)". The text is empty if the dialog starts only one agent. */
  readonly ending: string;
  readonly onChange: (changed: Partial<StartRow>) => void;
  /** A note about the chosen persona. */
  readonly children?: ReactNode;
}

/** The persona and the first prompt of one agent to start. */
export function AgentRow({ row, personas, chosen, ending, onChange, children }: Props) {
  const isFirst = chosen !== null;
  const value = row.persona ?? chosen;
  const active = personas.filter(({ status, slug }) => status === 'active' || slug === value);
  return (
    <div className={classes(!isFirst && 'border-t border-line pt-4')}>
      <Field
        label={`Persona${ending}`}
        hint={
          isFirst
            ? 'An agent with a persona starts with its skill and experience and can hand over to a successor.'
            : undefined
        }
      >
        {(ids) => (
          <Select
            {...ids}
            value={value ?? SAME}
            onChange={({ target }) => onChange({ persona: target.value === SAME ? null : target.value })}
          >
            {!isFirst && <option value={SAME}>Same as the first agent</option>}
            <option value="">None (cannot hand over)</option>
            {active.map(({ slug, name, role }) => (
              <option key={slug} value={slug}>
                {visible(name)} · {visible(role)}
              </option>
            ))}
            <option value={NEW_PERSONA}>New persona…</option>
          </Select>
        )}
      </Field>
      {value === NEW_PERSONA && (
        <div className="grid gap-x-4 sm:grid-cols-2">
          <Field label={`Name of the persona${ending}`}>
            {(ids) => (
              <TextInput
                {...ids}
                required
                maxLength={200}
                placeholder="Example: Ada"
                value={row.name}
                onChange={({ target }) => onChange({ name: target.value })}
              />
            )}
          </Field>
          <Field label={`Role of the persona${ending}`}>
            {(ids) => (
              <TextInput
                {...ids}
                required
                maxLength={200}
                placeholder="Example: Backend engineer"
                value={row.role}
                onChange={({ target }) => onChange({ role: target.value })}
              />
            )}
          </Field>
        </div>
      )}
      {children}
      <Field
        label={isFirst && ending === '' ? 'First prompt (optional)' : `First prompt${ending}`}
        hint={isFirst ? promptHint(ending) : undefined}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={isFirst ? 3 : 2}
            placeholder={isFirst ? undefined : 'Same as the first agent'}
            value={row.prompt ?? ''}
            onChange={({ target }) => onChange({ prompt: target.value === '' && !isFirst ? null : target.value })}
          />
        )}
      </Field>
    </div>
  );
}

const SAME = 'same';

const promptHint = (ending: string): string =>
  ending === ''
    ? 'Baton sends the prompt once, when the agent is ready.'
    : 'Optional. Baton sends each prompt once, when its agent is ready.';
