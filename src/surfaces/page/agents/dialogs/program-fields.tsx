import type { RuntimeInfo } from '../../../../contract/resources.ts';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';

/** The model and the arguments for an agent's program, as the operator typed them. An empty text means the default. */
export interface ProgramText {
  readonly model: string;
  /** The arguments as typed, one per line, because an argument may contain spaces. */
  readonly lines: string;
}

export const NO_PROGRAM_TEXT: ProgramText = { model: '', lines: '' };

/**
 * Returns the fields of a request that set the model and the arguments. A field that the agent type does not support,
 * or that is empty, is left out.
 */
export function programFields({ model, lines }: ProgramText, capabilities: RuntimeInfo['capabilities']) {
  const args = lines.split('\n').filter((line) => line.trim() !== '');
  return {
    ...(capabilities?.model === false || model.trim() === '' ? {} : { model: model.trim() }),
    ...(capabilities?.arguments === false || args.length === 0 ? {} : { client_args: args }),
  };
}

/**
 * Lets the operator enter a model and arguments, if the agent type supports them. `whose` begins the labels, such as
 * "Successor's".
 */
export function ProgramFields({
  capabilities,
  text,
  whose = '',
  onChange,
}: {
  readonly capabilities: RuntimeInfo['capabilities'];
  readonly text: ProgramText;
  readonly whose?: string;
  readonly onChange: (changed: Partial<ProgramText>) => void;
}) {
  const label = (word: string): string =>
    whose === '' ? `${word} (optional)` : `${whose} ${word.toLowerCase()} (optional)`;
  return (
    <>
      {capabilities?.model !== false && (
        <Field
          label={label('Model')}
          hint="The model's name in the agent's client. Successors of the same agent type get the same model."
        >
          {(ids) => (
            <TextInput
              {...ids}
              maxLength={200}
              spellCheck={false}
              autoCapitalize="none"
              value={text.model}
              onChange={({ target }) => onChange({ model: target.value })}
            />
          )}
        </Field>
      )}
      {capabilities?.arguments !== false && (
        <Field label={label('Arguments')} hint="One argument per line, passed unchanged to the agent's program.">
          {(ids) => (
            <TextArea
              {...ids}
              rows={2}
              className="font-mono"
              spellCheck={false}
              autoCapitalize="none"
              value={text.lines}
              onChange={({ target }) => onChange({ lines: target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
