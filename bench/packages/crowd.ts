import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPackageFiles } from '../../src/adapters/files/package-files.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { createHealth } from '../../src/app/engine/health.ts';
import { createReconciler } from '../../src/app/engine/reconcile.ts';
import { createEffectRunner } from '../../src/app/engine/run-effects.ts';
import { createOperatorNotifier } from '../../src/app/inbox/notify-operator.ts';
import { createPackageWriter } from '../../src/app/packages/background/package-writer.ts';
import { notePackage } from '../../src/app/packages/record-package-fact.ts';
import type { StoredPackage } from '../../src/domain/packages/stored-package.ts';
import { delegation, gatePackage, PackageScene } from '../../test/surfaces/http/packages/package-scene.ts';

const CLONES_IN_ONE_WRITE = 250;

/**
 * A Baton with many waiting packages. The use cases, the reconciler and the archive writer are real, with a real store
 * and real files. Terminal, git and clock are fakes. No timer runs, so reconcile happens only when the bench calls
 * `pass`.
 */
export interface Crowd {
  readonly scene: PackageScene;
  readonly waiting: number;
  pass(): Promise<void>;
  /** Waits until the archive writer has written the files of all packages. */
  settle(): Promise<unknown>;
  end(): Promise<void>;
}

export async function gatherCrowd(waiting: number): Promise<Crowd> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-packages-'));
  const scene = new PackageScene();
  const { ports } = scene.world;
  const store = openSqliteStore(join(folder, 'baton.db'), () => 'bench');
  const files = createPackageFiles(folder);
  Object.assign(ports, { store });
  Object.assign(ports.packageFiles, { writeState: files.writeState });
  // The project's path does not exist on this disk, so the archive goes to a temporary folder.
  Object.assign(ports.packageFiles, {
    writeArchive: (wanted: Parameters<typeof files.writeArchive>[0]) => files.writeArchive({ ...wanted, root: folder }),
  });
  await scene.begin();
  await addPeople(scene);
  const reconciler = createReconciler(ports, createHealth(ports));
  const runner = createEffectRunner(ports);
  const notifier = createOperatorNotifier(ports);
  const writer = createPackageWriter(ports, createHealth(ports));
  const wake = (): void => {
    runner.wake();
    notifier.wake();
    writer.wake();
  };
  await fill(scene, waiting);
  store.onCommit(wake);
  const pass = async (): Promise<void> => {
    scene.world.pass(ports.settings.reconcileEveryMs);
    await reconciler.look();
    wake();
  };
  const end = async (): Promise<void> => {
    await runner.stop();
    await notifier.stop();
    await writer.stop();
    await scene.api.remove();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  // Reconcile a few times before the measurement, until all notifications are sent and recorded. The measured passes of
  // reconcile then have no notifications left to send.
  for (let passes = 0; passes < 5; passes++) await pass();
  await writer.flush();
  return { scene, waiting, pass, settle: writer.flush, end };
}

/**
 * Adds two personas. Eve's agent is in the state `working`, so Baton announces no package to this agent. Zoe has no
 * agent.
 */
async function addPeople(scene: PackageScene): Promise<void> {
  await scene.addPersona('Eve');
  await scene.addPersona('Zoe');
  const eve = await scene.world.addAgent({ personaId: 3 });
  await scene.world.ports.store.write((tx) => tx.saveAgent({ ...eve, state: 'working' }));
}

/**
 * Adds waiting packages of five kinds in turn: announced, not announced, for an absent agent, for a person, and
 * accepted.
 */
async function fill(scene: PackageScene, waiting: number): Promise<void> {
  const send = async (given: object): Promise<StoredPackage> =>
    stored(scene, (await scene.create(scene.con, given)).body.id);
  const to = (agent: string) => delegation({ to: { agent, reason: 'Need a security review before the API is final' } });
  const taken = await send(delegation());
  await scene.accept(scene.ann, taken.record.id);
  const originals = [
    await send(delegation()),
    await send(to('reviewer-eve-3')),
    await send(to('reviewer-zoe-4')),
    await send(gatePackage()),
    stored(scene, taken.record.id),
  ];
  let made = 0;
  while (made < waiting) {
    const upTo = Math.min(waiting, made + CLONES_IN_ONE_WRITE);
    const from = made;
    await scene.world.ports.store.write(() => {
      for (let index = from; index < upTo; index++)
        clone(scene, originals[index % originals.length] as StoredPackage, index);
    });
    made = upTo;
  }
  for (const { record } of originals) await scene.post('operator', `/${record.id}/cancel`);
}

function stored(scene: PackageScene, id: string): StoredPackage {
  const found = scene.world.ports.store.read((tx) => tx.packageById(id));
  if (found === undefined) throw new Error(`the bench could not create its package: ${id}`);
  return found;
}

/** Copies a package as if the copy had waited for a long time, with all reminders sent and all files written. */
function clone(scene: PackageScene, original: StoredPackage, index: number): void {
  const { ports } = scene.world;
  const id = `HO-2025-${String(index + 1).padStart(5, '0')}`;
  const { record, acceptedAt: _a, acceptedSeq: _s, overSeq: _o, updatedAt: _u, seq: _q, ...rest } = original;
  const isTold = record.to === 'reviewer-ann-2';
  ports.store.read((tx) => {
    const made = notePackage(tx, ports, undefined, {
      note: 'created',
      agentId: null,
      record: { ...record, id, reminders: 2 },
      changes: {
        ...rest,
        lineage: { ...rest.lineage, root: id },
        announced: isTold ? `${record.state}-${record.revision}-${record.round}` : null,
      },
    });
    tx.packageWritten(id, made.seq);
  });
}
