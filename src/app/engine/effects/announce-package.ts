import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { announcementText, isAnnounced } from '../../../domain/packages/announcement.ts';
import { refusedCause } from '../../../domain/packages/package-end.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import { isFree } from '../../packages/background/announce-packages.ts';
import { notePackage } from '../../packages/record-package-fact.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { type } from './type-prompts.ts';

type Announce = Extract<Effect, { kind: 'announce_package' }>;

/**
 * Types one announcement of packages to the agent, and never types the same reference twice. Types nothing if the agent
 * is no longer idle or a handoff has begun. Leaves out packages whose state has changed since the announcement was
 * enqueued.
 */
export async function announcePackage(ports: Ports, effect: Announce): Promise<readonly Fact[]> {
  const { agentId, packageId, others = [], ref } = effect;
  const told = ports.store.read((tx) =>
    [packageId, ...others].flatMap((id) => tx.packageById(id) ?? []).filter(isAnnounced),
  );
  if (told.length === 0) return [];
  const facts = await type(ports, agentId, {
    purpose: 'package',
    ref,
    runId: null,
    kind: 'prompt',
    text: announcementText(told, ref),
    stillWanted: () =>
      ports.store.read((tx) => {
        const agent = tx.agentById(agentId);
        return agent !== undefined && isFree(tx, agent) && told.some((stored) => isUnmoved(tx, stored));
      }),
  });
  const isRefused = facts.some((fact) => fact.type === 'prompt_typed' && fact.outcome.verdict === 'refused');
  if (isRefused) await noteRefused(ports, told);
  return facts;
}

/** Returns whether the package is still in the announced state and the receiver has not read it yet. */
function isUnmoved(tx: Tx, { record, readRevision }: StoredPackage): boolean {
  const now = tx.packageById(record.id);
  return now?.record.state === record.state && now.readRevision === readRevision;
}

function noteRefused(ports: Ports, told: readonly StoredPackage[]): Promise<void> {
  return ports.store.write((tx) => {
    for (const { record, announced, told: notified } of told) {
      const now = tx.packageById(record.id);
      if (now === undefined || announced === null || now.announced !== announced) continue;
      // Baton may have announced the package to another agent after the notified agent ended. So record the refused
      // announcement only if the package still names the notified agent.
      if (now.told?.agentId !== notified?.agentId) continue;
      const changes = { announced: refusedCause(announced) };
      notePackage(tx, ports, now, { note: 'announced', agentId: null, record: now.record, changes });
    }
  });
}
