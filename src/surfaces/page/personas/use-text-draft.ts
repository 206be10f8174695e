import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonaDetail } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post, Refused } from '../api/call.ts';
import { personaQuery } from '../api/queries.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { afterRender, useAction } from '../parts/use-action.ts';
import {
  copyPutAway,
  copyTakenBack,
  isOutdated,
  isUnsaved,
  type KeptText,
  NO_DRAFT,
  saved,
  settled,
  shownText,
  theirsLoaded,
  typed,
} from './text-draft.ts';

export type TextName = 'skill' | 'experience';

export interface EditedText {
  readonly name: TextName;
  readonly kept: KeptText;
  readonly text: string;
  readonly copy: string | null;
  readonly unsaved: boolean;
  readonly outdated: boolean;
  readonly busy: boolean;
  readonly type: (text: string) => void;
  readonly save: () => void;
  /** Asks the operator for a confirmation, and then overwrites the newer text that another person has saved. */
  readonly saveOver: () => void;
  readonly discard: () => void;
  readonly loadTheirs: () => void;
  readonly takeCopyBack: () => void;
  readonly putCopyAway: () => void;
}

/**
 * Returns one text of a persona and the operator's unsaved changes. The persona page keeps the changes itself, so that
 * switching tabs does not lose them.
 */
export function useTextDraft(persona: PersonaDetail, name: TextName): EditedText {
  const client = useQueryClient();
  const ask = useConfirm();
  const [draft, setDraft] = useState(NO_DRAFT);
  const kept: KeptText = persona[name];
  const { queryKey } = personaQuery(persona.slug);
  if (settled(draft, kept) !== draft) setDraft(settled(draft, kept));

  const send = async (sent: string, basedOn: string | null): Promise<string | undefined> => {
    try {
      const body = { text: sent, based_on: basedOn };
      const now = await post<PersonaDetail>(PATHS.personaText(persona.slug, name), body);
      setDraft((mine) => saved(mine, now[name]));
      client.setQueryData(queryKey, now);
      // Keep the button busy until the page shows the saved text. Until then, the operator's own save would look like a
      // change by somebody else.
      await afterRender();
      return `The ${name} of ${persona.name} was saved. Agents get it at their next session start.`;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error;
      // If somebody else has saved a text meanwhile, let the page offer both texts. Otherwise show the refusal.
      const before = kept.sha256;
      await client.refetchQueries({ queryKey, exact: true });
      if (client.getQueryData<PersonaDetail>(queryKey)?.[name].sha256 === before) throw error;
      return undefined;
    }
  };
  const action = useAction(send);
  const save = (basedOn: string | null): void => {
    if (draft.mine !== null && !action.busy) void action.run(draft.mine, basedOn);
  };
  const discard = async (): Promise<void> => {
    const question = `Your changes to ${name}.md will be lost.`;
    if (await ask({ title: 'Discard your changes?', question, yes: 'Discard changes', no: 'Keep editing' }))
      setDraft(NO_DRAFT);
  };
  const outdated = !action.busy && isOutdated(draft, kept);
  return {
    name,
    kept,
    text: shownText(draft, kept),
    copy: draft.copy,
    unsaved: isUnsaved(draft, kept),
    outdated,
    busy: action.busy,
    type: (text) => setDraft((mine) => typed(mine, kept, text)),
    save: () => {
      if (!outdated) save(draft.basedOn);
    },
    saveOver: () => save(kept.sha256),
    discard: () => void discard(),
    loadTheirs: () => setDraft(theirsLoaded),
    takeCopyBack: () => setDraft((mine) => copyTakenBack(mine, kept)),
    putCopyAway: () => setDraft(copyPutAway),
  };
}
