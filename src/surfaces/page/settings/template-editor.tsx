import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SettingsView } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post, Refused } from '../api/call.ts';
import { settingsQuery } from '../api/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { UnsavedMark } from '../parts/dialogs/unsaved-mark.tsx';
import { Field, TextArea } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { useAction } from '../parts/use-action.ts';
import { Path } from '../parts/words/path.tsx';
import { type Placeholder, placeholderProblems, placeholdersIn } from './placeholders-in.ts';
import { useUnsavedPart } from './unsaved-parts.tsx';

type Template = SettingsView['templates'][number];

/** The text that the operator is typing, and the saved text on which it is based. */
interface Draft {
  readonly text: string;
  readonly basedOn: string;
}

const WORDS = {
  instruction: ['Instruction', 'Asks the outgoing agent for its handoff document.'],
  injection: ['Handoff prompt', 'Points the successor to the handoff document.'],
} as const;

/** Edits one of the two prompts of a handoff. */
export function TemplateEditor({ template }: { readonly template: Template }) {
  const { name, text: kept, is_own, built_in, placeholders, path, problem } = template;
  const [title, meaning] = WORDS[name];
  const [draft, setDraft] = useState<Draft | null>(null);
  const text = draft?.text ?? kept;
  const unsaved = draft !== null && draft.text !== kept;
  useUnsavedPart(`the template “${title}”`, unsaved);
  const { busy, save, discard, reset } = useTemplate(name, title, () => setDraft(null));
  const problems = unsaved ? placeholderProblems(text, placeholders) : [];
  return (
    <Panel className="mb-4 p-4 md:p-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="text-sm text-muted">{meaning}</p>
        </div>
        <span className="flex flex-wrap items-center gap-3">
          {unsaved && <UnsavedMark />}
          <Badge tone={is_own ? 'violet' : 'grey'}>{is_own ? 'custom text' : 'built-in text'}</Badge>
        </span>
      </div>
      {problem !== null && (
        <p role="alert" className="mb-3 rounded-lg bg-amber-soft px-3 py-2 text-sm wrap-anywhere text-amber">
          Baton does not use the text in the file: {visible(problem)}
        </p>
      )}
      <Field
        label={`${title} text`}
        hint={
          <code className="font-mono wrap-anywhere">
            <Path text={path} />
          </code>
        }
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={10}
            spellCheck={false}
            maxLength={20_000}
            className="font-mono text-[0.87rem] leading-relaxed"
            value={text}
            onChange={(event) => setDraft({ text: event.target.value, basedOn: draft?.basedOn ?? kept })}
          />
        )}
      </Field>
      <Placeholders placeholders={placeholders} text={text} />
      <div role="status">
        {problems.map((each) => (
          <p key={each} className="mb-2 text-sm text-red">
            {each}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          small
          kind="primary"
          busy={busy}
          disabled={!unsaved || problems.length > 0}
          aria-label={`Save ${title.toLowerCase()} text`}
          onClick={() => draft !== null && save(draft)}
        >
          Save
        </Button>
        <Button
          small
          kind="quiet"
          disabled={!unsaved || busy}
          aria-label={`Discard changes to the ${title.toLowerCase()} text`}
          onClick={discard}
        >
          Discard changes
        </Button>
        <Button
          small
          kind="quiet"
          className="ml-auto"
          disabled={!is_own && problem === null}
          aria-label={`Reset to built-in text: ${title}`}
          onClick={reset}
        >
          Reset to built-in text
        </Button>
      </div>
      <div className="mt-4 border-t border-line pt-4">
        <Fold summary="Built-in text">
          <pre className="rounded-lg bg-sunken p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">{built_in}</pre>
        </Fold>
      </div>
    </Panel>
  );
}

function useTemplate(name: Template['name'], title: string, forget: () => void) {
  const client = useQueryClient();
  const ask = useConfirm();
  const put = async (text: string | null, basedOn?: string): Promise<SettingsView> => {
    try {
      return await post<SettingsView>(PATHS.template(name), {
        text,
        ...(basedOn !== undefined && { based_on: basedOn }),
      });
    } catch (error) {
      if (!(error instanceof Refused && error.body.code === 'template_changed')) throw error;
      const asked = { title: 'Replace the saved text?', question: `${error.message}.`, yes: 'Replace with mine' };
      if (!(await ask(asked))) throw error;
      return put(text);
    }
  };
  const action = useAction(async (text: string | null, basedOn?: string) => {
    const now = await put(text, basedOn);
    client.setQueryData(settingsQuery.queryKey, now);
    forget();
    return text === null ? `${title}: Baton now uses the built-in text.` : `${title}: Baton now uses your text.`;
  });
  const reset = async (): Promise<void> => {
    const question = `Your ${title.toLowerCase()} text and its file will be deleted.`;
    if (await ask({ title: 'Reset to built-in text?', question, yes: 'Delete my text' })) await action.run(null);
  };
  const discard = async (): Promise<void> => {
    const question = `Your changes to the ${title.toLowerCase()} text will be lost.`;
    if (await ask({ title: 'Discard your changes?', question, yes: 'Discard changes', no: 'Keep editing' })) forget();
  };
  return {
    busy: action.busy,
    save: ({ text, basedOn }: Draft) => void action.run(text, basedOn),
    discard: () => void discard(),
    reset: () => void reset(),
  };
}

/** Lists all placeholders, and shows which of them are required and which the text uses now. */
function Placeholders({
  placeholders,
  text,
}: {
  readonly placeholders: readonly Placeholder[];
  readonly text: string;
}) {
  const used = placeholdersIn(text);
  const mustFirst = [...placeholders].sort((one, other) => Number(other.required) - Number(one.required));
  return (
    <div className="mb-4">
      <p className="mb-1.5 text-sm font-medium">Placeholders</p>
      <ul className="flex flex-wrap gap-1.5">
        {mustFirst.map(({ name, required }) => (
          <li key={name} className="rounded-md bg-sunken px-2 py-0.5 text-sm">
            <code className="font-mono">{`{{${name}}}`}</code>
            <Use required={required} isUsed={used.has(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Use({ required, isUsed }: { readonly required: boolean; readonly isUsed: boolean }) {
  if (required)
    return (
      <span className={classes('ml-1.5 font-medium', isUsed ? 'text-accent' : 'text-red')}>
        {isUsed ? 'required' : 'required, missing'}
      </span>
    );
  return isUsed ? null : <span className="ml-1.5 text-muted">not used</span>;
}
