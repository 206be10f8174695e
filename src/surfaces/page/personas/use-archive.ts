import { useQueryClient } from '@tanstack/react-query';
import type { Persona, PersonaDetail } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { personaQuery, personasQuery } from '../api/queries.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { type Action, useAction } from '../parts/use-action.ts';

/**
 * Archives an active persona after a confirmation. Restores an archived persona at once, because a restore loses
 * nothing.
 */
export function useArchive({ slug, name, status }: Persona): Action<[]> {
  const client = useQueryClient();
  const ask = useConfirm();
  const change = async (path: string): Promise<void> => {
    client.setQueryData(personaQuery(slug).queryKey, await post<PersonaDetail>(path, {}));
    await client.invalidateQueries({ queryKey: personasQuery.queryKey });
  };
  return useAction(async () => {
    if (status === 'archived') {
      await change(PATHS.restorePersona(slug));
      return `${name} was restored.`;
    }
    const question = `No new agent can start with ${name}. Agents that have this persona keep running and can hand over. Skill, experience and handoffs are kept, and you can restore the persona at any time.`;
    if (!(await ask({ title: `Archive ${name}?`, question, yes: 'Archive persona' }))) return undefined;
    await change(PATHS.archivePersona(slug));
    return `${name} was archived. You can restore it from the list of archived personas.`;
  });
}
