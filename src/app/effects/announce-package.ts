import type { Effect } from '../../domain/effects.ts';
import type { Fact } from '../../domain/facts.ts';
import { announcementText, refusedCause } from '../../domain/package/announcement.ts';
import { isFree } from '../packages/announce-packages.ts';
import { notePackage } from '../packages/record-package-fact.ts';
import type { Ports } from '../world.ts';
import { type } from './type-prompts.ts';

type Announce = Extract<Effect, { kind: 'announce_package' }>;

/** By the reference at most once, as every prompt; if a handoff has begun meanwhile, or the package has gone on, not at all. */
export async function announcePackage(ports: Ports, { agentId, packageId, ref }: Announce): Promise<readonly Fact[]> {
  const stored = ports.store.read((tx) => tx.packageById(packageId));
  if (stored === undefined) return [];
  const facts = await type(ports, agentId, {
    purpose: 'package',
    ref,
    runId: null,
    kind: 'prompt',
    text: announcementText(stored, ref),
    stillWanted: () =>
      ports.store.read((tx) => {
        const agent = tx.agentById(agentId);
        const now = tx.packageById(packageId);
        const isRead = now?.record.waiter === 'receiver' && now.readRevision === now.record.revision;
        return agent !== undefined && isFree(tx, agent) && now?.record.state === stored.record.state && !isRead;
      }),
  });
  const isRefused = facts.some((fact) => fact.type === 'prompt_typed' && fact.outcome.verdict === 'refused');
  if (isRefused) await noteRefused(ports, packageId, stored.announced);
  return facts;
}

function noteRefused(ports: Ports, packageId: string, cause: string | null): Promise<void> {
  return ports.store.write((tx) => {
    const now = tx.packageById(packageId);
    if (now === undefined || cause === null || now.announced !== cause) return;
    const changes = { announced: refusedCause(cause) };
    notePackage(tx, ports, now, { note: 'announced', agentId: null, record: now.record, changes });
  });
}
