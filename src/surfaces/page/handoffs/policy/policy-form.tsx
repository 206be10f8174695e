import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { HandoffPolicy } from '../../../../contract/policies.ts';
import { post } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FIRST_POLICY, MODES } from './policy-words.ts';

interface Props {
  /** The path of the API request that sets the policy of an agent, a persona or a project. */
  readonly path: string;
  /** The policy of this agent, persona or project; null if it has none. */
  readonly policy: HandoffPolicy | null;
  /** The name of the agent, persona or project, for the buttons and for the message after saving. */
  readonly of: string;
  readonly onSaved?: () => void;
  /** Closes the dialog that contains the form; absent if the form is not in a dialog. */
  readonly onClose?: () => void;
}

const NUMBERS = [
  ['idle_seconds', 'Idle for (seconds)', 'How long the agent must be idle before the countdown.', 0],
  ['countdown_seconds', 'Countdown (seconds)', 'How long you can cancel or snooze the handoff before it begins.', 1],
  ['per_day', 'At most per day', 'The maximum number of automatic handoffs of the persona on one day.', 1],
] as const;

/** The form that sets or removes a handoff policy. The form shows its number fields only for an automatic policy. */
export function PolicyForm({ path, policy, of, onSaved, onClose }: Props) {
  const [wanted, setWanted] = useState<HandoffPolicy>(policy ?? FIRST_POLICY);
  const save = useAction(
    async (next: HandoffPolicy | null) => {
      await post(path, { policy: next });
      return next === null ? `The handoff policy of ${of} was removed.` : `The handoff policy of ${of} was saved.`;
    },
    { inDialog: true },
  );
  const Buttons = onClose === undefined ? ButtonRow : DialogButtons;
  const isValid = NUMBERS.every(([key, , , least]) => Number.isInteger(wanted[key]) && wanted[key] >= least);
  const send = async (next: HandoffPolicy | null): Promise<void> => {
    if (await save.run(next)) onSaved?.();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isValid) void send(wanted);
  };
  return (
    <form onSubmit={submit} noValidate>
      <ModeChoice mode={wanted.mode} onChange={(mode) => setWanted({ ...wanted, mode })} />
      {wanted.mode === 'auto' && <AutoFields policy={wanted} onChange={setWanted} />}
      {!isValid && (
        <p role="alert" className="mb-3 text-sm text-red">
          Enter whole numbers: idle at least 0, countdown at least 1, and at least 1 a day.
        </p>
      )}
      <Trouble error={save.refusal} />
      <Buttons>
        {onClose !== undefined && <Button onClick={onClose}>Cancel</Button>}
        {policy !== null && (
          <Button
            kind="quiet"
            busy={save.busy}
            aria-label={visible(`Remove policy of ${of}`)}
            onClick={() => void send(null)}
          >
            Remove policy
          </Button>
        )}
        <Button
          type="submit"
          kind="primary"
          busy={save.busy}
          disabled={!isValid}
          aria-label={visible(`Save policy of ${of}`)}
        >
          Save policy
        </Button>
      </Buttons>
    </form>
  );
}

const ButtonRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2">{children}</div>
);

function ModeChoice({
  mode,
  onChange,
}: {
  readonly mode: HandoffPolicy['mode'];
  readonly onChange: (mode: HandoffPolicy['mode']) => void;
}) {
  const name = useId();
  return (
    <fieldset className="mb-4 flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Handoff policy</legend>
      {MODES.map(([value, title, meaning]) => (
        <label key={value} className="flex min-h-[44px] items-start gap-3 md:min-h-0">
          <input
            type="radio"
            name={name}
            value={value}
            checked={mode === value}
            onChange={() => onChange(value)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{title}</span>
            <span className="block text-sm text-muted">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function AutoFields({
  policy,
  onChange,
}: {
  readonly policy: HandoffPolicy;
  readonly onChange: (policy: HandoffPolicy) => void;
}) {
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] gap-x-4">
        {NUMBERS.map(([key, label, hint]) => (
          <Field key={key} label={label} hint={hint}>
            {(ids) => (
              <TextInput
                {...ids}
                inputMode="numeric"
                className="tabular-nums"
                value={Number.isNaN(policy[key]) ? '' : String(policy[key])}
                onChange={({ target: { value } }) =>
                  onChange({ ...policy, [key]: /^\d+$/.test(value) ? Number(value) : Number.NaN })
                }
              />
            )}
          </Field>
        ))}
      </div>
      <Check
        label="Review each document before the agent exits"
        on={policy.review}
        onChange={(review) => onChange({ ...policy, review })}
      />
      <Check
        label="Also in quiet hours"
        on={policy.in_quiet_hours}
        onChange={(in_quiet_hours) => onChange({ ...policy, in_quiet_hours })}
      />
      <p className="mb-4 text-sm text-muted">
        Baton does not hand off a successor by itself before it has seen a commit, an edit or a completed package of
        that successor. Baton notifies you instead.
      </p>
    </>
  );
}

const Check = ({
  label,
  on,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}) => (
  <label className="mb-2 flex min-h-[44px] items-center gap-3 text-sm md:min-h-8">
    <input
      type="checkbox"
      checked={on}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 accent-accent"
    />
    {label}
  </label>
);
