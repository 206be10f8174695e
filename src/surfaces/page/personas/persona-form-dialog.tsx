import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Persona, PersonaDetail } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { personaQuery, personasQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { useTell } from '../parts/dialogs/toasts.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Creates a persona, or changes the role and name of an existing one. */
export function PersonaFormDialog({
  persona,
  onClose,
  onSaved,
}: {
  readonly persona?: Persona;
  readonly onClose: () => void;
  readonly onSaved?: (slug: string) => void;
}) {
  const [name, setName] = useState(persona?.name ?? '');
  const [role, setRole] = useState(persona?.role ?? '');
  const { save, busy, problem } = useSave(persona);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const slug = await save({ name: name.trim(), role: role.trim() });
    if (slug === undefined) return;
    onClose();
    onSaved?.(slug);
  };
  return (
    <Dialog title={persona === undefined ? 'New persona' : `Edit name and role of ${persona.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label="Name" hint="The name that agents with this persona show.">
          {(ids) => (
            <TextInput
              {...ids}
              required
              maxLength={200}
              placeholder="Example: Ada"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Role" hint="The persona's job in a few words.">
          {(ids) => (
            <TextInput
              {...ids}
              required
              maxLength={200}
              placeholder="Example: Backend engineer"
              value={role}
              onChange={(event) => setRole(event.target.value)}
            />
          )}
        </Field>
        {persona !== undefined && (
          <p className="mb-4 text-sm text-muted">
            The slug <code className="font-mono">{persona.slug}</code> does not change: folders and records use it.
          </p>
        )}
        <Trouble error={problem} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {persona === undefined ? 'Create persona' : 'Save persona'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function useSave(persona: Persona | undefined) {
  const client = useQueryClient();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  const send = async (called: { readonly name: string; readonly role: string }): Promise<string> => {
    if (persona === undefined) return (await post<Persona>(PATHS.registerPersona, called)).slug;
    const saved = await post<PersonaDetail>(PATHS.editPersona(persona.slug), called);
    client.setQueryData(personaQuery(persona.slug).queryKey, saved);
    return persona.slug;
  };
  const save = async (called: { readonly name: string; readonly role: string }): Promise<string | undefined> => {
    setBusy(true);
    setProblem(null);
    try {
      const slug = await send(called);
      await client.invalidateQueries({ queryKey: personasQuery.queryKey });
      tell.good(persona === undefined ? `${called.name} was created.` : `${called.name} was saved.`);
      return slug;
    } catch (error) {
      setProblem(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { save, busy, problem };
}
