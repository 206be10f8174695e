import { packagesFromLog } from '../../../src/app/packages/background/rebuild-packages.ts';
import { canonicalJson } from '../../../src/domain/packages/content/canonical-json.ts';
import { isTerminal, type PackageRecord } from '../../../src/domain/packages/record.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import type { World } from '../world.ts';
import type { PackageLife } from './life.ts';

/**
 * Checks packages after each commit. Every open package must wait for an agent, a person or Baton. A decided package
 * must not be open, and an ended package must stay in its state.
 */
export function judgePackages(world: World, life: PackageLife, known: Map<string, StoredPackage>): void {
  for (const stored of life.rows()) {
    const { record } = stored;
    const before = known.get(record.id);
    if (before?.seq === stored.seq) continue;
    known.set(record.id, stored);
    world.tell(`${record.id} (${record.type}, ${record.from} to ${record.to}): ${record.state}`);
    note(world, before, stored);
    const { id, state, waiter, deadlineAt, decision } = record;
    if (isTerminal(record) ? waiter !== null : waiter === null || deadlineAt === null)
      world.offend(`${id} is ${state}, but waits for ${waiter} until ${deadlineAt}`);
    if (decision !== null && !isTerminal(record)) world.offend(`${id} is decided, but still ${state}`);
    if (before !== undefined && isTerminal(before.record) && state !== before.record.state)
      world.offend(`${id} was ${before.record.state}, and is ${state} now`);
  }
}

function note(world: World, before: StoredPackage | undefined, { record, start }: StoredPackage): void {
  const from = before?.record.state;
  const { state, endedBy, gate, decision, senderGone, type } = record;
  if (from === 'clarifying' && state === 'pending') {
    world.saw('package_clarified');
    if (senderGone) world.saw('package_explained_by_a_person');
  }
  if (from === 'accepted' && state === 'pending') world.saw('package_taken_over');
  if (from === 'accepted' && state === 'failed' && endedBy === 'host') world.saw('package_failed_with_its_receiver');
  if (state === 'completed' && type === 'return') world.saw('package_returned');
  if (state === 'rejected') world.saw(gate !== null && decision !== null ? 'gate_rejected' : 'package_declined');
  if (senderGone) world.saw('package_without_its_sender');
  if (start?.agentId != null) world.saw('receiver_started');
  if (gate !== null && from === undefined && wasRejected(world, record)) world.saw('gate_reworked');
}

const wasRejected = (world: World, { id }: PackageRecord): boolean =>
  world.store.read((tx) => {
    const parent = tx.packageById(id)?.lineage.parent ?? null;
    const gate = parent === null ? undefined : tx.packageById(parent)?.record;
    return gate?.gate != null && gate.state === 'rejected';
  });

/**
 * Checks that each package that Baton recorded as archived is in the archive. The check runs often, because the next
 * change of a package rewrites its files and would hide a missing file.
 */
export function judgeArchive(world: World, life: PackageLife): void {
  const behind = new Set(world.store.read((tx) => tx.packagesBehind(1_000)).map(({ record }) => record.id));
  for (const { record, session, revisions } of world.store.read((tx) => tx.packages({}))) {
    if (revisions.length === 0 || behind.has(record.id)) continue;
    const file = (name: string) => JSON.parse(life.archive.get(`${session}/${record.id}${name}`) ?? '{}');
    const archived = `${file('.record.yaml').record?.state} (${file('.yaml').handoff?.revision})`;
    if (archived !== `${record.state} (${record.revision})`)
      world.offend(`lost: ${record.id} is ${record.state} (${record.revision}), but in the archive ${archived}`);
  }
}

/**
 * Checks at the end that log, rows and files agree, that each package exists once and is in a final state, and that no
 * agent was notified twice.
 */
export async function judgePackagesEnd(world: World, life: PackageLife): Promise<void> {
  const rows = world.store.read((tx) => tx.packages({}));
  for (const { record } of life.rows())
    if (!isTerminal(record))
      world.offend(`${record.id} is still ${record.state} and waits for ${record.waiter}, long after the last fault`);
  for (const [mark, id] of life.made)
    if (!rows.some(({ record }) => record.id === id))
      world.offend(`lost: ${id} (${mark}) was created, but no longer exists`);
  const keys = rows.flatMap(({ createKey }) => (createKey === null ? [] : [createKey.key]));
  for (const key of keys.filter((each, index) => keys.indexOf(each) < index))
    world.offend(`doubled: ${key} created two packages`);
  const byId = (all: readonly StoredPackage[]): string =>
    canonicalJson([...all].sort((one, other) => (one.record.id < other.record.id ? -1 : 1)));
  if (byId(world.store.read(packagesFromLog)) !== byId(rows)) world.offend('the packages do not match the log');
  judgeAnnounced(world);
  const rebuilt = await rebuild(world);
  if (rebuilt === undefined) world.offend('the packages were not rebuilt from the log');
  else if (rebuilt.mended + rebuilt.written > 0)
    world.offend(`lost: ${rebuilt.mended} rows and ${rebuilt.written} files of packages had to be rebuilt`);
  judgeArchive(world, life);
}

/**
 * Checks in the log that Baton never notifies an agent twice for the same reason [package P35]. Another check, in
 * prove/sim/judge/judge.ts, finds prompts that an agent got twice.
 */
function judgeAnnounced(world: World): void {
  const told = world.store
    .read((tx) => tx.eventsAfter(0, 100_000))
    .filter(({ type, agentId }) => type === 'package_announced' && agentId !== null)
    .map(({ agentId, data }) => {
      const { packageId, changes } = data as unknown as { packageId: string; changes: { announced?: string } };
      return `agent ${agentId} of ${packageId} (${changes.announced})`;
    });
  for (const each of told.filter((one, index) => told.indexOf(one) < index))
    world.offend(`doubled: ${each} is announced twice`);
}

async function rebuild(world: World) {
  let rebuilt: { readonly mended: number; readonly written: number } | undefined;
  void world.baton?.rebuildPackages().then((result) => {
    rebuilt = result;
  });
  await world.timeline.play(() => rebuilt !== undefined, 60_000);
  return rebuilt;
}
