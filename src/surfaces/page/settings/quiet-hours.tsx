import { type FormEvent, useId, useState } from 'react';
import type { SettingsView } from '../../../contract/resources.ts';
import { Button } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import { Switch } from './switch.tsx';
import { useUnsavedPart } from './unsaved-parts.tsx';
import { useChangeSettings } from './use-change-settings.ts';

type Hours = NonNullable<SettingsView['quiet_hours']>;

const AT_NIGHT: Hours = { from: '22:00', to: '07:00' };

export function QuietHours({ settings: { quiet_hours: kept } }: { readonly settings: SettingsView }) {
  const change = useChangeSettings();
  const turn = (on: boolean): void =>
    void change.run({ quiet_hours: on ? AT_NIGHT : null }, on ? 'Quiet hours: 22:00 to 07:00.' : 'Quiet hours off.');
  return (
    <>
      <Switch
        label="Quiet hours"
        hint="Baton notifies you only about failures. Other items stay in the inbox, and you get one summary at the end."
        on={kept !== null}
        busy={change.busy}
        onChange={turn}
      />
      {kept !== null && <Times kept={kept} />}
    </>
  );
}

function Times({ kept }: { readonly kept: Hours }) {
  const [mine, setMine] = useState<Partial<Hours>>({});
  const shown = { ...kept, ...mine };
  const unsaved = shown.from !== kept.from || shown.to !== kept.to;
  useUnsavedPart('quiet hours', unsaved);
  const change = useChangeSettings();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await change.run({ quiet_hours: shown }, `Quiet hours: ${shown.from} to ${shown.to}.`)) setMine({});
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-3 flex flex-wrap items-center gap-2 text-sm">
      <Time label="From" value={shown.from} onChange={(from) => setMine({ ...mine, from })} />
      <Time label="to" value={shown.to} onChange={(to) => setMine({ ...mine, to })} />
      <span className="text-muted">in the local time of the machine that runs Baton</span>
      {unsaved && (
        <Button type="submit" small kind="primary" busy={change.busy} aria-label="Save quiet hours">
          Save
        </Button>
      )}
    </form>
  );
}

function Time({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (time: string) => void;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="time"
        required
        className="w-32! tabular-nums"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
