import { type FormEvent, useId, useState } from 'react';
import type { SettingsView } from '../../../contract/resources.ts';
import { Button } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import { useUnsavedPart } from './unsaved-parts.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/**
 * Sets the minimum length of a turn whose end causes a notification. Without this minimum, short turns would cause
 * notifications all day.
 */
export function FinishedAfter({ settings }: { readonly settings: SettingsView }) {
  const kept = String(settings.notify_finished_after_seconds);
  const [mine, setMine] = useState<string>();
  const text = mine ?? kept;
  const unsaved = text !== kept;
  useUnsavedPart('minimum working time', unsaved);
  const change = useChangeSettings();
  const id = useId();
  const isNumber = /^[1-9]\d{0,4}$/.test(text);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await change.run({ notify_finished_after_seconds: Number(text) }, 'Minimum working time saved.'))
      setMine(undefined);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-3 flex flex-wrap items-center gap-2 text-sm">
      <label htmlFor={id}>After at least</label>
      <TextInput
        id={id}
        inputMode="numeric"
        maxLength={5}
        className="w-20! text-right tabular-nums"
        value={text}
        onChange={(event) => setMine(event.target.value)}
      />
      <span>seconds of work</span>
      {unsaved && (
        <Button
          type="submit"
          small
          kind="primary"
          busy={change.busy}
          disabled={!isNumber}
          aria-label="Save seconds of work"
        >
          Save
        </Button>
      )}
    </form>
  );
}
