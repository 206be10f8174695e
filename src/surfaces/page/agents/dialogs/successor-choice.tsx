import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../../contract/resources.ts';
import { runtimesQuery } from '../../api/queries.ts';
import { Field, Select } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { NO_PROGRAM_TEXT, ProgramFields, type ProgramText, programFields } from './program-fields.tsx';

/** The operator's choice of runtime, model and arguments for the successor; an empty text means the default. */
export interface SuccessorOptions extends ProgramText {
  readonly runtime: string;
}

export const NO_OPTIONS: SuccessorOptions = { runtime: '', ...NO_PROGRAM_TEXT };

/**
 * Returns the fields of a request for the chosen runtime, model and arguments. Checks nothing, because the form offers
 * only supported fields.
 */
export const successorFields = ({ runtime, ...text }: SuccessorOptions) => ({
  ...(runtime === '' ? {} : { runtime }),
  ...programFields(text, undefined),
});

/** Lets the operator choose another agent type and a model for the successor. Offers only types that can start. */
export function SuccessorChoice({
  agent,
  wish,
  onChange,
}: {
  readonly agent: Agent;
  readonly wish: SuccessorOptions;
  readonly onChange: (wish: SuccessorOptions) => void;
}) {
  const { data: runtimes = [] } = useQuery(runtimesQuery);
  const able = runtimes.filter(({ why_unavailable }) => why_unavailable === null);
  const chosen = able.find(({ id }) => id === (wish.runtime === '' ? agent.runtime : wish.runtime));
  return (
    <>
      <Field
        label="Successor's agent type"
        hint={visible(
          `Default: the first available type of the persona's list; without a list, the type of ${agent.label}.`,
        )}
      >
        {(ids) => (
          <Select
            {...ids}
            value={wish.runtime}
            onChange={(event) => onChange({ ...NO_OPTIONS, runtime: event.target.value })}
          >
            <option value="">Default for this persona</option>
            {able.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ProgramFields
        capabilities={chosen?.capabilities}
        text={wish}
        whose="Successor's"
        onChange={(changed) => onChange({ ...wish, ...changed })}
      />
    </>
  );
}
