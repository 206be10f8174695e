import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PackageFields } from '../../../../contract/packages/new-package.ts';
import { packageReceiversQuery } from '../../api/package-queries.ts';
import { personasQuery } from '../../api/queries.ts';
import { Field, Select, TextArea, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { type FormField, LABELS } from './form-findings.ts';

interface Props {
  readonly fields: PackageFields;
  /** The fields that are marked because their entries have errors. */
  readonly wrong: ReadonlySet<FormField>;
  readonly disabled: boolean;
  readonly onChange: (changed: Partial<PackageFields>) => void;
}

type Mark = { readonly 'aria-invalid'?: true; readonly className?: string };
const MARKED: Mark = { 'aria-invalid': true, className: 'border-red!' };

/** A form for a package that gives work to an agent. */
export function PackageFieldsForm({ fields, wrong, disabled, onChange }: Props) {
  const marked = (field: FormField): Mark => (wrong.has(field) ? MARKED : {});
  return (
    <div className="grid items-start gap-x-8 lg:grid-cols-2">
      <div className="min-w-0">
        <Receiver to={fields.to} mark={marked('to')} disabled={disabled} onChange={onChange} />
        <Field label={LABELS.reason}>
          {(ids) => (
            <TextInput
              {...ids}
              {...marked('reason')}
              disabled={disabled}
              placeholder="Con wrote the parser in src/parse.ts"
              value={fields.reason}
              onChange={({ target }) => onChange({ reason: target.value })}
            />
          )}
        </Field>
        <Field
          label={LABELS.summary}
          hint="What was done so far, with numbers, paths and names. The agent knows nothing else about the work so far."
        >
          {(ids) => (
            <TextArea
              {...ids}
              {...marked('summary')}
              disabled={disabled}
              placeholder="PLAN.md has 2 steps, both described"
              value={fields.summary}
              onChange={({ target }) => onChange({ summary: target.value })}
            />
          )}
        </Field>
      </div>
      <div className="min-w-0">
        <Lines
          label={`${LABELS.files} (optional)`}
          hint="One path per line, from the project's folder. Baton records the content of these files, and later shows you what has changed."
          placeholder="PLAN.md"
          lines={fields.files}
          mark={marked('files')}
          disabled={disabled}
          onLines={(files) => onChange({ files })}
        />
        <Field label={LABELS.deliverable}>
          {(ids) => (
            <TextInput
              {...ids}
              {...marked('deliverable')}
              disabled={disabled}
              placeholder="docs/risks.md with the 3 biggest risks"
              value={fields.deliverable}
              onChange={({ target }) => onChange({ deliverable: target.value })}
            />
          )}
        </Field>
        <Lines
          label={`${LABELS.criteria} (optional)`}
          hint="One criterion per line that can be checked."
          placeholder="docs/risks.md exists"
          lines={fields.criteria}
          mark={marked('criteria')}
          disabled={disabled}
          onLines={(criteria) => onChange({ criteria })}
        />
        <Choice
          label="Ask for my approval"
          hint="The agent is told to send you a gate: a package that waits for your decision in the inbox. If the agent sends no gate, Baton does not hold the work back."
          checked={fields.approval}
          disabled={disabled}
          onChecked={(approval) => onChange({ approval })}
        />
        <Choice
          label="Begin the workflow"
          hint="The package begins the workflow in .project/workflow.yaml, and the receiver has its first step. Otherwise the package is work outside the workflow."
          checked={fields.beginsWorkflow}
          disabled={disabled}
          onChecked={(beginsWorkflow) => onChange({ beginsWorkflow })}
        />
      </div>
    </div>
  );
}

function Choice({
  label,
  hint,
  checked,
  disabled,
  onChecked,
}: {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChecked: (checked: boolean) => void;
}) {
  return (
    <label className="mb-4 flex min-h-[44px] items-start gap-2 md:min-h-0">
      <input
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-accent"
        disabled={disabled}
        checked={checked}
        onChange={({ target }) => onChecked(target.checked)}
      />
      <span>
        {label}
        <span className="block text-sm text-muted">{hint}</span>
      </span>
    </label>
  );
}

function Receiver({
  to,
  mark,
  disabled,
  onChange,
}: { readonly to: string; readonly mark: Mark } & Pick<Props, 'disabled' | 'onChange'>) {
  const { data: names = [] } = useQuery(packageReceiversQuery);
  const { data: personas = [] } = useQuery(personasQuery);
  const labelOf = (name: string): string => {
    const persona = personas.find(({ slug }) => slug === name);
    return persona === undefined ? name : `${persona.name} · ${persona.role} · ${name}`;
  };
  return (
    <Field label={LABELS.to} hint="The agent that has this persona gets the package once it is idle.">
      {(ids) => (
        <Select
          {...ids}
          {...mark}
          disabled={disabled}
          value={to}
          onChange={({ target }) => onChange({ to: target.value })}
        >
          {to === '' && <option value="">Choose a receiver</option>}
          {[...new Set(to === '' ? names : [to, ...names])].map((name) => (
            <option key={name} value={name}>
              {visible(labelOf(name))}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** A field in which each line is an entry of a list. The text stays as typed; empty lines are not part of the list. */
function Lines({
  label,
  hint,
  placeholder,
  lines,
  mark,
  disabled,
  onLines,
}: {
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly lines: readonly string[];
  readonly mark: Mark;
  readonly disabled: boolean;
  readonly onLines: (lines: readonly string[]) => void;
}) {
  const [text, setText] = useState(() => lines.join('\n'));
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <TextArea
          {...ids}
          {...mark}
          rows={2}
          disabled={disabled}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            onLines(
              target.value
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean),
            );
          }}
        />
      )}
    </Field>
  );
}
