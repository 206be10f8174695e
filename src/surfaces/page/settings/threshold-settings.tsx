import { type FormEvent, useId, useState } from 'react';
import type { SettingsView } from '../../../contract/resources.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { UnsavedMark } from '../parts/dialogs/unsaved-mark.tsx';
import { TextInput } from '../parts/field.tsx';
import { Panel, Section } from '../parts/panel.tsx';
import { contextTiers, type Tier } from './context-tiers.ts';
import { useUnsavedPart } from './unsaved-parts.tsx';
import { useChangeSettings } from './use-change-settings.ts';

const LEAST = 10;
const MOST = 100;

/** Sets the context use at which an agent's card suggests a handoff. */
export function ThresholdSettings({ settings }: { readonly settings: SettingsView }) {
  const kept = settings.handoff_at_percent;
  const [mine, setMine] = useState<string | null>(null);
  const text = mine ?? String(kept);
  const percent = Number(text);
  const isValid = Number.isInteger(percent) && percent >= LEAST && percent <= MOST;
  const unsaved = mine !== null && percent !== kept;
  useUnsavedPart('handoff threshold', unsaved);
  const change = useChangeSettings();
  const send = async (wanted: number | null): Promise<void> => {
    const said =
      wanted === null ? 'The handoff threshold is reset to the default.' : `Handoffs are suggested at ${wanted} %.`;
    if (await change.run({ handoff_at_percent: wanted }, said)) setMine(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isValid) void send(percent);
  };
  return (
    <Section title="Handoff threshold" aside={unsaved && <UnsavedMark />}>
      <Panel className="p-4 md:p-5">
        <form onSubmit={submit} noValidate>
          <Inputs text={text} percent={isValid ? percent : kept} onChange={setMine} />
          {!isValid && (
            <p role="alert" className="mb-3 text-sm text-red">
              Enter a whole number from {LEAST} to {MOST}.
            </p>
          )}
          <Tiers tiers={contextTiers(isValid ? percent : kept)} />
          <div className="mt-5 flex flex-wrap gap-2">
            <Button
              type="submit"
              kind="primary"
              small
              busy={change.busy}
              disabled={!unsaved || !isValid}
              aria-label="Save handoff threshold"
            >
              Save
            </Button>
            <Button
              small
              kind="quiet"
              disabled={mine === null || change.busy}
              aria-label="Discard changes to the handoff threshold"
              onClick={() => setMine(null)}
            >
              Discard changes
            </Button>
            <Button
              small
              kind="quiet"
              className="ml-auto"
              disabled={change.busy}
              aria-label="Reset to default: handoff threshold"
              onClick={() => void send(null)}
            >
              Reset to default
            </Button>
          </div>
        </form>
      </Panel>
    </Section>
  );
}

/** Begin the slider at 0, like the scale below it, so that the positions on both agree. */
function Inputs({
  text,
  percent,
  onChange,
}: {
  readonly text: string;
  readonly percent: number;
  readonly onChange: (text: string) => void;
}) {
  const id = useId();
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium">
          Suggest a handoff at
        </label>
        <span className="flex items-center gap-2">
          <TextInput
            id={id}
            inputMode="numeric"
            className="w-18! text-right tabular-nums"
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
          <span aria-hidden="true">%</span>
        </span>
      </div>
      <input
        type="range"
        min={0}
        max={MOST}
        value={percent}
        aria-label="Handoff threshold, in percent"
        aria-valuetext={`${percent} percent`}
        onChange={(event) => onChange(String(Math.max(LEAST, Number(event.target.value))))}
        className="my-2 h-[44px] w-full accent-accent md:h-8"
      />
    </>
  );
}

const WORDS: Readonly<Record<Tier['name'], readonly [title: string, meaning: string]>> = {
  fine: ['Fine', 'plenty of room'],
  warn: ['Warning', 'context is filling up'],
  high: ['High', 'plan a handoff soon'],
  handoff: ['Handoff', 'the Handoff button appears'],
};

const LOOK: Readonly<Record<Tier['name'], string>> = {
  fine: 'bg-green',
  warn: 'bg-amber/60',
  high: 'bg-amber',
  handoff: 'bg-red',
};

function rangeOf({ name, from, to }: Tier): string {
  if (name === 'handoff') return `${from} % and above`;
  return from === to - 1 ? `${from} %` : `${from} to ${to - 1} %`;
}

/** Shows the ranges of context use in the same colors as on an agent's card, each with its name. */
function Tiers({ tiers }: { readonly tiers: readonly Tier[] }) {
  return (
    <>
      <div aria-hidden="true" className="flex h-2.5 gap-0.5 overflow-hidden rounded-full">
        {tiers.map(({ name, from, to }) => (
          <span key={name} className={LOOK[name]} style={{ flexGrow: Math.max(to - from, 1) }} />
        ))}
      </div>
      <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
        {tiers.map(({ name, from, to }) => (
          <div key={name}>
            <dt className="flex items-center gap-2 font-medium">
              <span aria-hidden="true" className={classes('size-2.5 shrink-0 rounded-full', LOOK[name])} />
              {WORDS[name][0]}
              <span className="font-normal text-muted tabular-nums">{rangeOf({ name, from, to })}</span>
            </dt>
            <dd className="pl-4.5 text-muted">{WORDS[name][1]}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">
        100 % is the point at which the agent's client compacts its context. You can hand over an agent with a persona
        below this threshold, too, from its menu.
      </p>
    </>
  );
}
