import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { PersonaDetail } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { StartAgentDialog } from '../agents/dialogs/start-agent-dialog.tsx';
import { knowledgeQuery, personaQuery } from '../api/queries.ts';
import { PolicyForm } from '../handoffs/policy/policy-form.tsx';
import { Lessons } from '../knowledge/lessons.tsx';
import { OpenPoints } from '../knowledge/open-points.tsx';
import { UnsavedMark } from '../parts/dialogs/unsaved-mark.tsx';
import { useUnsavedGuard } from '../parts/dialogs/use-unsaved-guard.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Column, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { PersonaUsage } from '../usage/usage-page.tsx';
import type { ListDraft } from './agent-types/choices.ts';
import { HandoffHistory } from './handoff-history.tsx';
import { PersonaFormDialog } from './persona-form-dialog.tsx';
import { ALL_PERSONAS, PersonaTitle } from './persona-title.tsx';
import { TextEditor } from './text-editor.tsx';
import { type EditedText, useTextDraft } from './use-text-draft.ts';

/** The editor of the list of agent types. It is loaded when the operator opens its tab. */
const AgentTypesEditor = lazy(() => import('./agent-types/agent-types-editor.tsx'));

export function PersonaPage() {
  const { slug } = useParams({ from: '/personas/$slug' });
  const { data: persona, error } = useQuery(personaQuery(slug));
  return (
    <Column>
      {persona === undefined && <PageTitle title="Persona" back={ALL_PERSONAS} />}
      <Trouble error={error} />
      {persona === undefined && error === null && <Loading />}
      {persona === undefined && error !== null && (
        <p className="mt-4">
          <Link to="/personas" className="text-accent underline underline-offset-4">
            All personas
          </Link>
        </p>
      )}
      {persona !== undefined && <Persona key={slug} persona={persona} />}
    </Column>
  );
}

const HINTS = {
  skill: 'The first text that every agent with this persona gets. Changes apply from the next session start.',
  experience: 'What the agents of this persona have learned. Every new agent gets this text after the skill.',
} as const;

function Persona({ persona }: { readonly persona: PersonaDetail }) {
  const { tab: first } = useSearch({ from: '/personas/$slug' });
  const [tab, setTab] = useState<string>(first ?? 'skill');
  const [open, setOpen] = useState<'edit' | 'start' | null>(null);
  const skill = useTextDraft(persona, 'skill');
  const experience = useTextDraft(persona, 'experience');
  // Treat the kept copy of the operator's text as unsaved, because it would be lost when the operator leaves the page.
  const isLosable = (each: EditedText): boolean => each.unsaved || each.copy !== null;
  const [types, setTypes] = useState<ListDraft | null>(null);
  const unsaved = [
    ...[skill, experience].filter(isLosable).map(({ name }) => `${name}.md`),
    ...(types === null ? [] : ['the agent types']),
  ];
  useUnsavedGuard(unsaved.length === 0 ? null : unsaved.join(' and '));
  const textTab = (title: string, edited: EditedText) => ({
    value: edited.name,
    title: (
      <>
        {title} {edited.unsaved && <UnsavedMark />}
      </>
    ),
    content: <TextEditor edited={edited} hint={HINTS[edited.name]} />,
  });
  const close = (): void => setOpen(null);
  return (
    <>
      <PersonaTitle persona={persona} onEdit={() => setOpen('edit')} onStart={() => setOpen('start')} />
      <Tabs
        label={visible(`About ${persona.name}`)}
        value={tab}
        onChange={setTab}
        tabs={[
          textTab('Skill', skill),
          textTab('Experience', experience),
          {
            value: 'lessons',
            title: <LessonsTitle slug={persona.slug} />,
            content: below(<Lessons slug={persona.slug} />),
          },
          {
            value: 'points',
            title: <PointsTitle slug={persona.slug} />,
            content: below(<OpenPoints slug={persona.slug} />),
          },
          { value: 'handoffs', title: 'Handoffs', content: below(<HandoffHistory slug={persona.slug} />) },
          { value: 'usage', title: 'Usage', content: below(<PersonaUsage slug={persona.slug} />) },
          { value: 'policy', title: 'Policy', content: below(<PersonaPolicy persona={persona} />) },
          {
            value: 'types',
            title: <>Agent types {types !== null && <UnsavedMark />}</>,
            content: below(
              <Suspense fallback={<Loading what="Loading agent types" />}>
                <AgentTypesEditor persona={persona} draft={types} onChange={setTypes} />
              </Suspense>,
            ),
          },
        ]}
      />
      {open === 'edit' && <PersonaFormDialog persona={persona} onClose={close} />}
      {open === 'start' && <StartAgentDialog personaSlug={persona.slug} onClose={close} />}
    </>
  );
}

/** Adds space between the row of tab titles and the content of a tab. */
const below = (content: ReactNode) => <div className="pt-4">{content}</div>;

/** The title of the tab Lessons, with the number of lessons that wait for a decision. */
function LessonsTitle({ slug }: { readonly slug: string }) {
  const { data } = useQuery(knowledgeQuery(slug));
  const offered = data?.lessons.filter(({ state }) => state === 'offered').length ?? 0;
  return <>Lessons{offered > 0 && ` (${offered})`}</>;
}

/** The title of the tab Open points, with the number of points that are open. */
function PointsTitle({ slug }: { readonly slug: string }) {
  const { data } = useQuery(knowledgeQuery(slug));
  const open = data?.points.filter(({ closed }) => closed === null).length ?? 0;
  return <>Open points{open > 0 && ` (${open})`}</>;
}

/** The handoff policy of a persona. The React key resets the form when the policy was changed elsewhere. */
const PersonaPolicy = ({ persona }: { readonly persona: PersonaDetail }) => (
  <Panel className="max-w-3xl p-4 md:p-5">
    <p className="mb-4 text-sm text-muted">
      Applies to all agents of {visible(persona.name)} that have no policy of their own.
    </p>
    <PolicyForm
      key={JSON.stringify(persona.handoff_policy)}
      path={PATHS.personaPolicy(persona.slug)}
      policy={persona.handoff_policy ?? null}
      of={persona.name}
    />
  </Panel>
);
