import { useQueryClient } from '@tanstack/react-query';
import type { Persona, PersonaDetail } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { personaQuery, personasQuery } from '../api/queries.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { type Action, useAction } from '../parts/use-action.ts';

/** Archives an active persona after a confirmation; restores an archived one at once, which loses nothing. */
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
      return `${name} is active again.`;
    }
    const question = `No agent can begin as ${name} any more. Agents that are ${name} now go on and hand over as before; skill, experience and handoffs are kept, and you can restore it at any time.`;
    if (!(await ask({ title: `Archive ${name}?`, question, yes: 'Archive' }))) return undefined;
    await change(PATHS.archivePersona(slug));
    return `${name} is archived. It can be restored from the archived personas.`;
  });
}
