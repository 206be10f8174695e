import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { PersonaDetail, RuntimeInfo } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { ProgramFields } from '../../agents/dialogs/program-fields.tsx';
import { get, post } from '../../api/call.ts';
import { personaQuery, runtimesQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { Loading } from '../../parts/spinner.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { afterRender, useAction } from '../../parts/use-action.ts';
import {
  type Choice,
  choicesOf,
  fingerprintOf,
  type ListDraft,
  MAX_CHOICES,
  moved,
  requestOf,
  withOneMore,
} from './choices.ts';

interface Props {
  readonly persona: PersonaDetail;
  /** The operator's unsaved list; null if nothing was changed. */
  readonly draft: ListDraft | null;
  readonly onChange: (draft: ListDraft | null) => void;
}

/** Edits the agent types of a persona in their order of preference. */
export default function AgentTypesEditor({ persona, draft, onChange }: Props) {
  const { data: runtimes } = useQuery(runtimesQuery);
  const save = useSave(persona, runtimes ?? [], draft, () => onChange(null));
  const form = useRef<HTMLFormElement>(null);
  const [told, setTold] = useState('');
  const [wanted, focus] = useState<string | null>(null);
  // After rows have moved, put the focus on the button that `wanted` names, because a button that moves or becomes
  // disabled loses the focus.
  useEffect(() => {
    if (wanted === null) return;
    const buttons = wanted.split(' ').map((name) => form.current?.querySelector<HTMLElement>(`[data-focus="${name}"]`));
    buttons.find((button) => button && !button.matches(':disabled'))?.focus();
    focus(null);
  }, [wanted]);
  if (runtimes === undefined) return <Loading what="Loading agent types" />;
  const choices = draft?.choices ?? choicesOf(persona);
  const change = (next: readonly Choice[]): void =>
    onChange({ choices: next, basedOn: draft?.basedOn ?? fingerprintOf(persona) });
  const titleOf = (runtime: string): string => runtimes.find(({ id }) => id === runtime)?.title ?? runtime;
  const move = (at: number, by: -1 | 1): void => {
    const key = choices[at]?.key;
    change(moved(choices, at, by));
    setTold(`${titleOf(choices[at]?.runtime ?? '')} is now choice ${at + by + 1} of ${choices.length}.`);
    focus(by === -1 ? `up-${key} down-${key}` : `down-${key} up-${key}`);
  };
  const remove = (at: number): void => {
    change(choices.filter((_, each) => each !== at));
    setTold(`${titleOf(choices[at]?.runtime ?? '')} was removed from the list.`);
    focus('add');
  };
  const add = (): void => {
    const next = withOneMore(choices, firstUnused(runtimes, choices));
    change(next);
    focus(`type-${next.at(-1)?.key}`);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save.run(choices);
  };
  const who = visible(`${persona.name} (${persona.slug})`);
  return (
    <Panel className="max-w-4xl p-4 md:p-5">
      <form ref={form} onSubmit={submit}>
        <p className="mb-4 text-sm text-muted">
          {choices.length === 0
            ? 'This list is empty. A new agent gets an agent type from the list of its project or, if that list is empty too, the default agent type. A successor gets the agent type of its predecessor.'
            : 'New agents and successors run on the first of these agent types that can start.'}
        </p>
        {/* Disable the list during a save. The page then shows the saved list, so any change would be lost. */}
        <fieldset disabled={save.busy}>
          <ol aria-label={`Agent types of ${who}`} className="space-y-3">
            {choices.map((choice, at) => (
              <li key={choice.key}>
                <ChoiceRow
                  choice={choice}
                  at={at}
                  count={choices.length}
                  who={who}
                  runtimes={runtimes}
                  onChange={(next) => change(choices.map((each) => (each.key === choice.key ? next : each)))}
                  onMove={(by) => move(at, by)}
                  onRemove={() => remove(at)}
                />
              </li>
            ))}
          </ol>
          <p role="status" className="sr-only">
            {visible(told)}
          </p>
          <Button
            small
            className={choices.length === 0 ? '' : 'mt-3'}
            data-focus="add"
            disabled={choices.length >= MAX_CHOICES}
            aria-label={`Add agent type for ${who}`}
            onClick={add}
          >
            Add agent type
          </Button>
        </fieldset>
        {choices.length >= MAX_CHOICES && (
          <p className="mt-1 text-sm text-muted">A list has at most {MAX_CHOICES} agent types.</p>
        )}
        <div className="mt-4">
          <Trouble error={save.refusal} />
        </div>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          {draft !== null && (
            <Button
              kind="quiet"
              disabled={save.busy}
              aria-label={`Discard changes to agent types of ${who}`}
              onClick={() => onChange(null)}
            >
              Discard changes
            </Button>
          )}
          <Button
            type="submit"
            kind="primary"
            busy={save.busy}
            disabled={draft === null}
            aria-label={`Save agent types of ${who}`}
          >
            Save agent types
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Returns the agent type that a new row begins with: if possible, one that can start and is not in the list yet. */
const firstUnused = (runtimes: readonly RuntimeInfo[], choices: readonly Choice[]): string => {
  const unused = runtimes.filter(({ id }) => choices.every(({ runtime }) => runtime !== id));
  return (unused.find(({ why_unavailable }) => why_unavailable === null) ?? unused[0] ?? runtimes[0])?.id ?? '';
};

function useSave(
  persona: PersonaDetail,
  runtimes: readonly RuntimeInfo[],
  draft: ListDraft | null,
  onSaved: () => void,
) {
  const client = useQueryClient();
  const { slug, name } = persona;
  return useAction(
    async (choices: readonly Choice[]) => {
      // Read the list from the server. The copy in the query client may be older than the last save.
      const now = await get<PersonaDetail>(PATHS.persona(slug));
      if (draft !== null && draft.basedOn !== fingerprintOf(now))
        throw new Error(
          `Nothing was saved, because the list of ${name} was changed elsewhere meanwhile. Discard your changes to see the list as it is now.`,
        );
      const saved = await post<PersonaDetail>(PATHS.editPersona(slug), { runs_on: requestOf(choices, runtimes) });
      const { queryKey } = personaQuery(slug);
      // Cancel requests that were sent before the save, because their answers would replace the saved list with the old
      // one.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, saved);
      // Drop the draft only after the page has rendered the saved list. Otherwise the page would show the old list for
      // a moment.
      await afterRender();
      onSaved();
      return choices.length === 0
        ? `The list of agent types of ${name} was removed.`
        : `The agent types of ${name} were saved.`;
    },
    { inDialog: true },
  );
}

function ChoiceRow({
  choice,
  at,
  count,
  who,
  runtimes,
  onChange,
  onMove,
  onRemove,
}: {
  readonly choice: Choice;
  readonly at: number;
  readonly count: number;
  /** The persona's name and slug, for the labels of the buttons. */
  readonly who: string;
  readonly runtimes: readonly RuntimeInfo[];
  readonly onChange: (choice: Choice) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}) {
  const title = useId();
  const known = runtimes.find(({ id }) => id === choice.runtime);
  const name = `choice ${at + 1} of ${who}: ${known?.title ?? visible(choice.runtime)}`;
  const { kept } = choice;
  return (
    <fieldset aria-labelledby={title} className="rounded-lg border border-line-strong px-3 pt-2 md:px-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span id={title} className="text-sm font-semibold">
          Choice {at + 1}
        </span>
        <span className="flex gap-1">
          <Button
            small
            kind="quiet"
            data-focus={`up-${choice.key}`}
            disabled={at === 0}
            aria-label={`Move up ${name}`}
            onClick={() => onMove(-1)}
          >
            Move up
          </Button>
          <Button
            small
            kind="quiet"
            data-focus={`down-${choice.key}`}
            disabled={at === count - 1}
            aria-label={`Move down ${name}`}
            onClick={() => onMove(1)}
          >
            Move down
          </Button>
          <Button small kind="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </span>
      </div>
      <Field label="Agent type" hint={known?.why_unavailable && visible(known.why_unavailable)}>
        {(ids) => (
          <Select
            {...ids}
            data-focus={`type-${choice.key}`}
            value={choice.runtime}
            onChange={({ target }) => onChange({ ...choice, runtime: target.value, model: '', kept: null })}
          >
            {known === undefined && <option value={choice.runtime}>{visible(choice.runtime)}</option>}
            {runtimes.map(({ id, title: words, why_unavailable }) => (
              <option key={id} value={id}>
                {why_unavailable === null ? words : `${words} (cannot start now)`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ProgramFields
        capabilities={kept === null ? known?.capabilities : withoutArguments(known)}
        text={choice}
        onChange={(changed) => onChange({ ...choice, ...changed })}
      />
      {kept !== null && (
        <p className="mb-3 flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
          <span>
            Keeps {kept.count === 1 ? '1 stored argument' : `${kept.count} stored arguments`}. Baton does not show
            stored arguments, because they may contain secrets.
          </span>
          <Button small aria-label={`Replace arguments of ${name}`} onClick={() => onChange({ ...choice, kept: null })}>
            Replace arguments
          </Button>
        </p>
      )}
    </fieldset>
  );
}

/**
 * Returns the capabilities of an agent type, but without `arguments`. The form then shows no field for arguments. Used
 * for a choice that keeps its stored arguments.
 */
const withoutArguments = (known: RuntimeInfo | undefined): RuntimeInfo['capabilities'] =>
  known?.capabilities && { ...known.capabilities, arguments: false };
