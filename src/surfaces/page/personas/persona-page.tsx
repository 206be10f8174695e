import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { PersonaDetail } from '../../../contract/resources.ts';
import { StartAgentDialog } from '../agents/dialogs/start-agent-dialog.tsx';
import { personaQuery } from '../api/queries.ts';
import { UnsavedMark } from '../parts/dialogs/unsaved-mark.tsx';
import { useUnsavedGuard } from '../parts/dialogs/use-unsaved-guard.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Loading } from '../parts/spinner.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { HandoffHistory } from './handoff-history.tsx';
import { PersonaFormDialog } from './persona-form-dialog.tsx';
import { PersonaTitle } from './persona-title.tsx';
import { TextEditor } from './text-editor.tsx';
import { type EditedText, useTextDraft } from './use-text-draft.ts';

export function PersonaPage() {
  const { slug } = useParams({ from: '/personas/$slug' });
  const { data: persona, error } = useQuery(personaQuery(slug));
  return (
    <>
      <Link to="/personas" className="mb-2 inline-block text-sm text-muted hover:text-ink">
        ‹ Personas
      </Link>
      <Trouble error={error} />
      {persona === undefined && error === null && <Loading />}
      {persona !== undefined && <Persona key={slug} persona={persona} />}
    </>
  );
}

const HINTS = {
  skill: 'The first text that every agent with this persona gets. Changes apply from the next session start.',
  experience: 'The lessons of its agents so far. Each agent gets it after the skill.',
} as const;

function Persona({ persona }: { readonly persona: PersonaDetail }) {
  const [tab, setTab] = useState('skill');
  const [open, setOpen] = useState<'edit' | 'start' | null>(null);
  const skill = useTextDraft(persona, 'skill');
  const experience = useTextDraft(persona, 'experience');
  // A copy that was kept for comparison would be lost with the page, too.
  const isLosable = (each: EditedText): boolean => each.unsaved || each.copy !== null;
  const unsaved = [skill, experience].filter(isLosable).map(({ name }) => `${name}.md`);
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
          { value: 'handoffs', title: 'Handoffs', content: <HandoffHistory slug={persona.slug} /> },
        ]}
      />
      {open === 'edit' && <PersonaFormDialog persona={persona} onClose={close} />}
      {open === 'start' && <StartAgentDialog personaSlug={persona.slug} onClose={close} />}
    </>
  );
}
