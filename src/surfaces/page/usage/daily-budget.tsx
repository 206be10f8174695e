import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { UsageView } from '../../../contract/history/usage.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Field, TextInput } from '../parts/field.tsx';
import { Panel, Section } from '../parts/panel.tsx';
import { useChangeSettings } from '../settings/use-change-settings.ts';
import { exact } from './amounts.tsx';

const LEAST = 1_000;
const MOST = 1_000_000_000_000;

/** Shows how much of the daily budget is used, and sets the budget. */
export function DailyBudget({ today }: { readonly today: UsageView['today'] }) {
  const [text, setText] = useState<string | null>(null);
  const change = useChangeSettings();
  const client = useQueryClient();
  const wanted = (text ?? '').replaceAll(/[\s,]/g, '');
  const isValid = wanted === '' || (/^\d+$/.test(wanted) && Number(wanted) >= LEAST && Number(wanted) <= MOST);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isValid || text === null) return;
    const budget = wanted === '' ? null : Number(wanted);
    const said =
      budget === null ? 'There is no token budget any more.' : `The budget is ${exact(budget)} tokens a day.`;
    if (!(await change.run({ token_budget: budget }, said))) return;
    await client.invalidateQueries({ queryKey: ['usage'] });
    setText(null);
  };
  return (
    <Section title="Daily budget">
      <Panel className="p-4 md:p-5">
        {today.budget !== null && <Meter tokens={today.tokens} budget={today.budget} />}
        <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-wrap items-end gap-x-3">
          <div className="max-w-64 min-w-40 flex-1">
            <Field label="Tokens a day, all agents">
              {(ids) => (
                <TextInput
                  {...ids}
                  inputMode="numeric"
                  placeholder="No budget"
                  value={text ?? (today.budget === null ? '' : exact(today.budget))}
                  onChange={({ target }) => setText(target.value)}
                />
              )}
            </Field>
          </div>
          <div className="mb-4">
            <Button
              type="submit"
              kind="primary"
              busy={change.busy}
              disabled={text === null || !isValid}
              aria-label="Save the daily token budget"
            >
              Save
            </Button>
          </div>
        </form>
        {!isValid && (
          <p role="alert" className="text-sm text-red">
            Enter a whole number from {exact(LEAST)} to {exact(MOST)}.
          </p>
        )}
        <p className="text-sm text-muted">
          When the agents pass the budget, the inbox gets a notice, at most one for each budget and day. All agents keep
          running. Leave the field empty for no budget.
        </p>
      </Panel>
    </Section>
  );
}

function Meter({ tokens, budget }: { readonly tokens: number; readonly budget: number }) {
  const percent = Math.floor((100 * tokens) / budget);
  const isPassed = tokens >= budget;
  return (
    <div className="mb-4">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-2 text-sm">
        <span>
          Today: {exact(tokens)} of {exact(budget)} tokens
          {isPassed && <strong className="font-medium"> · budget passed</strong>}
        </span>
        <span className="tabular-nums">{percent} %</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: each browser draws <meter> in its own colors */}
      <div
        role="meter"
        aria-label="Daily budget used"
        aria-valuenow={Math.min(100, percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${percent} percent`}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={classes('h-full rounded-full', isPassed ? 'bg-red' : 'bg-accent')}
          style={{ width: `${Math.min(100, percent)}%` }}
        />
      </div>
    </div>
  );
}
