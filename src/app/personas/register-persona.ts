import { displayName, type Persona, personaSlug, refusePersona, roleName } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';

export async function registerPersona(
  ports: Pick<Ports, 'store' | 'files' | 'secrets' | 'clock'>,
  role: string,
  name: string,
): Promise<Persona | Refusal> {
  const refusal = refusePersona(role, name);
  if (refusal !== undefined) return refusal;
  const persona = await ports.store.write((tx) => {
    const wanted = {
      role: roleName(role),
      name: displayName(name),
      status: 'active',
      createdAt: ports.clock.now(),
    } as const;
    const created = tx.insertPersona(wanted, (id) => personaSlug(role, name, id));
    appendNotice(tx, ports, { type: 'persona_registered', slug: created.slug }, { agentId: null, runId: null });
    return created;
  });
  await ports.files.seedPersona(persona.slug, persona.name, persona.role);
  return persona;
}
