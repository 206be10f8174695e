import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Lesson } from '../../../contract/knowledge.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { knowledgeQuery, personaQuery } from '../api/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { Field, TextArea } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type Action, useAction } from '../parts/use-action.ts';

/** The lessons from documents of this persona: first those that wait for a decision, then those that are decided. */
export function Lessons({ slug }: { readonly slug: string }) {
  const { data, error } = useQuery(knowledgeQuery(slug));
  if (data === undefined) return error === null ? <Loading /> : <Trouble error={error} />;
  const waiting = data.lessons.filter(({ state }) => state === 'offered' || state === 'accepting');
  const decided = data.lessons.filter((lesson) => !waiting.includes(lesson));
  return (
    <>
      {waiting.length === 0 ? (
        <Empty title="No lessons to decide">
          Lessons that agents write into their handoff documents appear here. Accepted ones go into experience.md.
        </Empty>
      ) : (
        <LessonList lessons={waiting} slug={slug} label="Offered lessons" />
      )}
      {decided.length > 0 && (
        <Fold className="mt-3" summary={`Decided lessons (${decided.length})`}>
          <LessonList lessons={decided} slug={slug} label="Decided lessons" />
        </Fold>
      )}
    </>
  );
}

const LessonList = (props: { readonly lessons: readonly Lesson[]; readonly slug: string; readonly label: string }) => (
  <Panel>
    <ul aria-label={props.label} className="divide-y divide-line">
      {props.lessons.map((lesson) => (
        <LessonRow key={lesson.id} lesson={lesson} slug={props.slug} />
      ))}
    </ul>
  </Panel>
);

/** Sends a decision about a lesson, and then refetches the lessons and experience.md. */
function useDecision(slug: string, inDialog = false): Action<[path: string, body: object, said: string]> {
  const client = useQueryClient();
  return useAction(
    async (path: string, body: object, said: string) => {
      await post<Lesson>(path, body);
      await client.invalidateQueries(knowledgeQuery(slug));
      await client.invalidateQueries(personaQuery(slug));
      return said;
    },
    { inDialog },
  );
}

function LessonRow({ lesson, slug }: { readonly lesson: Lesson; readonly slug: string }) {
  const [editing, setEditing] = useState(false);
  const decide = useDecision(slug);
  const { id, text, state, run_id, created_at, automatic } = lesson;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 md:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">{visible(text)}</p>
        <p className="text-sm text-muted">
          From{' '}
          <Link
            to="/runs/$id"
            params={{ id: run_id }}
            className="text-accent underline underline-offset-4 hover:text-accent-hover"
          >
            handoff {run_id}
          </Link>{' '}
          · lesson {id}, <Ago at={created_at} />
        </p>
      </div>
      {state === 'offered' ? (
        <div className="flex flex-wrap gap-2">
          <Button
            small
            kind="primary"
            busy={decide.busy}
            aria-label={`Accept lesson ${id} of ${slug}`}
            onClick={() => void decide.run(PATHS.acceptLesson(id), {}, `Lesson ${id} is in experience.md.`)}
          >
            Accept
          </Button>
          <Button small aria-label={`Edit lesson ${id} of ${slug}`} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button
            small
            kind="quiet"
            busy={decide.busy}
            aria-label={`Discard lesson ${id} of ${slug}`}
            onClick={() => void decide.run(PATHS.discardLesson(id), {}, `Lesson ${id} is discarded.`)}
          >
            Discard
          </Button>
        </div>
      ) : (
        <Badge tone={state === 'discarded' ? 'grey' : 'green'}>{automatic ? `${state} by setting` : state}</Badge>
      )}
      {editing && <EditLessonDialog lesson={lesson} slug={slug} onClose={() => setEditing(false)} />}
    </li>
  );
}

/**
 * Lets the operator reword a lesson, and accepts the lesson with the new words. Stays open when the server refuses the
 * text.
 */
function EditLessonDialog(props: { readonly lesson: Lesson; readonly slug: string; readonly onClose: () => void }) {
  const { lesson, slug, onClose } = props;
  const [text, setText] = useState(lesson.text);
  const { data: persona } = useQuery(personaQuery(slug));
  const decide = useDecision(slug, true);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const said = `Lesson ${lesson.id} is in experience.md.`;
    if (await decide.run(PATHS.acceptLesson(lesson.id), { text: text.trim() }, said)) onClose();
  };
  return (
    <Dialog title={`Edit and accept lesson ${lesson.id} of ${persona?.name ?? slug}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label="Lesson"
          hint="One sentence that every later agent of this persona should know. Baton adds it to experience.md."
        >
          {(ids) => (
            <TextArea
              {...ids}
              autoFocus
              required
              rows={4}
              maxLength={500}
              value={text}
              onChange={(event) => setText(event.target.value.replaceAll('\n', ' '))}
            />
          )}
        </Field>
        <Trouble error={decide.refusal} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={decide.busy} disabled={text.trim() === ''}>
            Accept edited lesson
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
