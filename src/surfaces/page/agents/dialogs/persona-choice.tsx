import type { Persona } from '../../../../contract/resources.ts';
import { Field, Select } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';

/** Lets the operator choose the persona of a new agent, or no persona. */
export function PersonaChoice({
  personas,
  chosen,
  onChoose,
  none = 'None (cannot hand over)',
  hint,
}: {
  readonly personas: readonly Persona[];
  /** The chosen persona's slug; empty means no persona. */
  readonly chosen: string;
  readonly onChoose: (slug: string) => void;
  /** The label of the option that means no persona. */
  readonly none?: string;
  readonly hint: string;
}) {
  const choosable = personas.filter(({ status, slug }) => status === 'active' || slug === chosen);
  return (
    <Field label="Persona" hint={hint}>
      {(ids) => (
        <Select {...ids} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{none}</option>
          {choosable.map(({ slug, name, role }) => (
            <option key={slug} value={slug}>
              {visible(name)} · {role}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
