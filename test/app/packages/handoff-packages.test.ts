import { describe, expect, it } from 'vitest';
import { createEngine } from '../../../src/app/engine/engine.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { acknowledgeHandoff } from '../../../src/app/handoffs/acknowledge-handoff.ts';
import { chooseRunAction } from '../../../src/app/handoffs/choose-run-action.ts';
import { acknowledgePackage, cancelPackage } from '../../../src/app/packages/act-on-package.ts';
import { announcePackages } from '../../../src/app/packages/background/announce-packages.ts';
import { packagesFromLog } from '../../../src/app/packages/background/rebuild-packages.ts';
import { syncHandoffPackages } from '../../../src/app/packages/background/sync-handoff-packages.ts';
import { noteEndedSessions, tickPackages } from '../../../src/app/packages/background/tick-packages.ts';
import { createPackage } from '../../../src/app/packages/create-package.ts';
import { showChain } from '../../../src/app/packages/list-packages.ts';
import { archivePathOf } from '../../../src/app/packages/package-folder.ts';
import { receivePackage } from '../../../src/app/packages/receive-package.ts';
import { reportOnPackage } from '../../../src/app/packages/report-on-package.ts';
import { SealedPackage } from '../../../src/contract/packages/package.ts';
import type { Fact } from '../../../src/domain/facts.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { announcementOf } from '../../../src/domain/packages/announcement.ts';
import { continuationFact, isContinued } from '../../../src/domain/packages/content/continuation.ts';
import { ownerOf } from '../../../src/domain/packages/record.ts';
import { viewPackageRow } from '../../../src/surfaces/http/packages/package-views.ts';
import { SimWorld } from '../engine/sim-world.ts';

const HASH = 'd'.repeat(64);
const submitted = (agentId: number, ref: string): Fact => ({
  type: 'prompt_submitted',
  agentId,
  promptId: 'p',
  ref,
  textHash: '',
  excerpt: '',
});
const used = (agentId: number): Fact => ({
  type: 'tool_used',
  agentId,
  promptId: 'p',
  tool: 'Read',
  phase: 'began',
});
const stop = (agentId: number): Fact => ({ type: 'turn_ended', agentId, promptId: 'p', backgroundTasks: 0 });

async function settle(sim: SimWorld): Promise<void> {
  const runner = createEffectRunner(sim.ports);
  for (let quiet = 0; quiet < 5; ) {
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
    const left = sim.ports.store.read((tx) => tx.pendingEffects().length + tx.effectsClaimedBy('me').length);
    quiet = left === 0 ? quiet + 1 : 0;
  }
  await runner.stop();
}

/** Creates a run in which agent 1 has written its document and Baton has stored the handoff record. */
async function recorded(): Promise<SimWorld> {
  const sim = new SimWorld();
  await sim.addAgent();
  await writeDocument(sim);
  expect(sim.run().step).toBe('shutting_down');
  return sim;
}

async function writeDocument(sim: SimWorld): Promise<void> {
  sim.document = { verdict: 'good', sha256: HASH, bytes: 42, markerFound: true };
  const run = await sim.handOver(1);
  await settle(sim);
  await sim.record(submitted(1, `${run.nonce}-instruction`), used(1));
  await sim.record(stop(1));
  await settle(sim);
}

async function successorBegins(sim: SimWorld): Promise<void> {
  await sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
  await settle(sim);
}

/** Creates a run whose successor, agent 2, has received the handoff prompt. */
async function delivered(sim: SimWorld): Promise<void> {
  await successorBegins(sim);
  const runtimeSessionId = sim.agent(2).sessionUuid;
  await sim.record({ type: 'session_started', agentId: 2, runtimeSessionId, source: 'startup', transcriptPath: '/t' });
  await settle(sim);
  const { priming } = sim.agent(2);
  await sim.record(submitted(2, priming.status === 'typing' ? priming.ref : ''), stop(2));
  await settle(sim);
  await sim.record(submitted(2, `${sim.run().nonce}-injection`), used(2));
  await settle(sim);
  expect(sim.run().step).toBe('awaiting_acknowledgement');
}

/** Lets time pass until the run completes without an acknowledgment. */
async function waitInVain(sim: SimWorld): Promise<void> {
  for (let looks = 0; sim.run().step !== 'completed' && looks < 2_000; looks++) {
    sim.pass(2_000);
    await sim.record({ type: 'clock_ticked', runId: 1 });
  }
}

const acknowledge = (sim: SimWorld, task = 'Go on with the parser') =>
  acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof: sim.run().endToken, task });

const all = (sim: SimWorld) => sim.ports.store.read((tx) => tx.packages({}));
const only = (sim: SimWorld) => {
  const [stored, ...more] = all(sim);
  expect(more).toEqual([]);
  if (stored === undefined) throw new Error('no package');
  return stored;
};
const told = async (sim: SimWorld) => {
  await syncHandoffPackages(sim.ports);
  const { record } = only(sim);
  return [record.state, ownerOf(record)];
};

describe('the package of a handoff run', () => {
  it('[D17] the package of a run has no deadline', async () => {
    const sim = await recorded();
    await syncHandoffPackages(sim.ports);
    const row = viewPackageRow(only(sim));
    expect([row.state, row.deadline_at]).toEqual(['pending', null]);
    expect(row.summary).toMatch(/^Con \(developer\) hands over in handoff 1/);
  });

  it('[D17] a run has no package before the operator has approved the document', () => {
    const run = { handoffId: 3, recordedDocument: null, review: 'wanted', document: { sha256: HASH } } as Run;
    expect([isContinued(run), isContinued({ ...run, review: 'approved' })]).toEqual([false, true]);
  });

  it('[D2] [package P36] the package of a run is not archived in a project without a `.project/` folder', async () => {
    const sim = await recorded();
    await syncHandoffPackages(sim.ports);
    await createEngine(sim.ports).rebuildPackages();
    expect([...sim.packageFiles.keys()]).toEqual(['state/1']);
    expect(archivePathOf(sim.ports, only(sim))).toBeNull();
  });

  it('[D2] [004 Persistence] the package of a run is archived in a project with a `.project/` folder', async () => {
    const sim = await recorded();
    sim.hasProjectFolder = true;
    await syncHandoffPackages(sim.ports);
    await createEngine(sim.ports).rebuildPackages();
    const { session } = only(sim);
    expect([...sim.packageFiles.keys()]).toContain(`${session}/HO-2026-001.yaml`);
    expect(archivePathOf(sim.ports, only(sim))).toBe(`.project/07-audit/sessions/${session}/handoffs/HO-2026-001.yaml`);
  });

  it("[package P25] [package P26] a run has one continuation package, and the package's state follows the run's state", async () => {
    const sim = await recorded();
    expect(await told(sim)).toEqual(['pending', 'sender']);
    const { revisions, record, session, runId } = only(sim);
    const sealed = SealedPackage.parse(revisions[0]);
    expect([sealed.type, sealed.from.agent, sealed.to.agent, sealed.reason_code]).toEqual([
      'continuation',
      'developer-con-1',
      'developer-con-1',
      'context_limit',
    ]);
    expect(sealed.from).toMatchObject({ session: sim.agent(1).sessionUuid, persona: 'developer-con-1' });
    expect(sealed.context.artifacts?.[0]).toMatchObject({ path: 'data/x.md', sha256: HASH, bytes: 42 });
    expect([record.seal?.artifacts, session, runId]).toEqual([{ 'data/x.md': HASH }, sim.agent(1).sessionUuid, 1]);
    await successorBegins(sim);
    // Baton (`orchestrator`) must be responsible for the package now, because the author is gone and no successor has
    // accepted the package.
    expect(await told(sim)).toEqual(['pending', 'orchestrator']);
    await delivered(sim);
    expect(await told(sim)).toEqual(['pending', 'orchestrator']);
    await acknowledge(sim);
    expect(await told(sim)).toEqual(['completed', 'orchestrator']);
    expect(only(sim)).toMatchObject({ senderAgentId: 1, receiverAgentId: 2 });
    expect(only(sim).record.acknowledgement).toContain('Go on with the parser');
    expect(sim.ports.store.read(packagesFromLog)).toEqual(all(sim));
  });

  it("[package P25] for the report on the package of a run, Baton looks for the document in Baton's home and not in the project", async () => {
    const sim = await recorded();
    await told(sim);
    sim.artifacts.set('data/x.md', { kind: 'file', sha256: HASH, bytes: 42 });
    const seen = await reportOnPackage(sim.ports, { kind: 'operator', channel: 'page' }, only(sim).record.id);
    expect(seen).toMatchObject({ folder: sim.ports.files.home, artifacts: [{ state: 'as_sealed' }] });
    expect([...sim.lookedIn]).toEqual([sim.ports.files.home]);
  });

  it('[package P26] the package of a run cannot be superseded by another package', async () => {
    const sim = await recorded();
    await told(sim);
    const { id } = only(sim).record;
    const value = {
      from: { agent: 'developer-con-1' },
      to: { agent: 'human', reason: 'Instead of the handoff' },
      context: {
        summary: 'The parser of docs/api.md is next: 3 rules are left.',
        open_questions: [{ question: 'Which of the 3 rules first?', priority: 'high' }],
      },
      expectations: { deliverable: 'The first of the 3 rules' },
      lineage: { supersedes: id },
    };
    const wanted = { authored: { value, problems: [] }, seal: true, waivers: [] };
    const refused = await createPackage(sim.ports, { kind: 'agent', agentId: 1 }, wanted);
    expect(refused).toMatchObject({ code: 'package_not_possible' });
    expect(await told(sim)).toEqual(['pending', 'sender']);
  });

  it('[package P25] if Baton creates the package of a run only after the end of the run, the run still gets exactly one complete package', async () => {
    const sim = await recorded();
    await delivered(sim);
    await acknowledge(sim);
    expect(await told(sim)).toEqual(['completed', 'orchestrator']);
    const states = ['package_created', 'package_sealed', 'package_acknowledged', 'package_completed'];
    for (const type of states) expect(sim.notices(type)).toHaveLength(1);
    expect(await told(sim)).toEqual(['completed', 'orchestrator']);
    expect(sim.notices('package_created')).toHaveLength(1);
  });

  it('[package P25] [F1] if Baton is killed right after it created the package of a run, the run gets no second package', async () => {
    const sim = await recorded();
    await syncHandoffPackages(sim.ports);
    // Mark the package of the run as outdated again, as if Baton had been killed before it removed this mark.
    await sim.ports.store.write((tx) => tx.markRunDirty(1));
    expect(await told(sim)).toEqual(['pending', 'sender']);
    expect(sim.ports.store.read((tx) => tx.runsToSync())).toEqual([]);
  });

  it('[package P25] a run completes even if its package cannot be created', async () => {
    const sim = await recorded();
    const noHash = (): string => {
      throw new Error('no hash');
    };
    const broken = { ...sim.ports, chance: { ...sim.ports.chance, sha256: noHash } };
    const health = createHealth(broken);
    const { look } = createReconciler(broken, health);
    for (let times = 0; times < 3; times++) await look();
    expect(health.current().join()).toContain('Baton could not update the packages of its handoffs: no hash');
    const items = sim.ports.store.read((tx) => tx.openInboxItems());
    expect(items.map(({ sentence }) => sentence).join()).toContain('the packages of its handoffs');
    expect(all(sim)).toEqual([]);
    await delivered(sim);
    await acknowledge(sim);
    expect(sim.run().step).toBe('completed');
    expect(await told(sim)).toEqual(['completed', 'orchestrator']);
  });

  it('[package P26] cancelling a run also cancels the package of the run', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    sim.notAProject = 'The project folder is gone.';
    await writeDocument(sim);
    expect(sim.run().step).toBe('failed');
    // The package must stay pending, because a halted run can still continue.
    expect(await told(sim)).toEqual(['pending', 'sender']);
    sim.notAProject = undefined;
    await chooseRunAction(sim.ports, { runId: 1, action: 'retry' });
    await chooseRunAction(sim.ports, { runId: 1, action: 'cancel' });
    expect(sim.run().step).toBe('cancelled');
    expect((await told(sim))[0]).toBe('cancelled');
    await chooseRunAction(sim.ports, { runId: 1, action: 'resume' });
    await settle(sim);
    expect((await told(sim))[0]).toBe('cancelled');
  });

  it('[package P26] if a run completes without an acknowledgment and the next run begins, the package of the first run fails', async () => {
    const sim = await recorded();
    await delivered(sim);
    await sim.record(stop(2));
    await waitInVain(sim);
    expect(sim.run().step).toBe('completed');
    expect(await told(sim)).toEqual(['pending', 'orchestrator']);
    await sim.handOver(2);
    await syncHandoffPackages(sim.ports);
    expect(only(sim).record).toMatchObject({ state: 'failed' });
    expect(only(sim).record.cause).toContain('never acknowledged handoff 1');
  });

  it('[package P26] a late acknowledgment completes the package of a run', async () => {
    const sim = await recorded();
    await delivered(sim);
    await waitInVain(sim);
    await syncHandoffPackages(sim.ports);
    await acknowledge(sim);
    expect(await told(sim)).toEqual(['completed', 'orchestrator']);
  });

  it('[package P11] the archived package of a run contains no secret from the acknowledgment', async () => {
    const sim = await recorded();
    await delivered(sim);
    await acknowledge(sim, 'Use AKIAQ3R7ZT5WXKPL2MVN for the upload');
    expect(await told(sim)).toEqual(['completed', 'orchestrator']);
    expect(JSON.stringify(all(sim))).not.toContain('AKIA');
  });

  it('[package P11] the package of a run contains no secret, even if the run itself stores one', async () => {
    const sim = await recorded();
    await delivered(sim);
    await syncHandoffPackages(sim.ports);
    const said = (task: string) => {
      const run = { ...sim.run(), acknowledgement: { task, at: sim.ports.clock.now() } };
      return JSON.stringify(continuationFact(only(sim), { run, predecessorGone: true, newerRunId: null }));
    };
    expect(said('Go on with the parser')).toContain('Go on with the parser');
    expect(said('Use AKIAQ3R7ZT5WXKPL2MVN for the upload')).toContain(
      'The successor restated the task to Baton; see handoff 1.',
    );
  });
});

describe('rights on the package of a run', () => {
  it("[package P26] the successor can read the package of its run but cannot change the package's state", async () => {
    const sim = await recorded();
    await delivered(sim);
    await syncHandoffPackages(sim.ports);
    const { record } = only(sim);
    const successor = { kind: 'agent', agentId: 2 } as const;
    sim.artifacts.set('data/x.md', { kind: 'file', sha256: HASH, bytes: 42 });
    const got = await receivePackage(sim.ports, successor, record.id);
    expect(got).toMatchObject({ report: { blocked: false, unusable: [] }, stored: { record: { state: 'pending' } } });
    const said = { understood: { task: 'x' }, starting: true };
    const refused = { code: 'package_not_possible', sentence: expect.stringContaining('handoff 1') };
    expect(await acknowledgePackage(sim.ports, successor, record.id, said)).toMatchObject(refused);
    const operator = { kind: 'operator', channel: 'cli' } as const;
    expect(await cancelPackage(sim.ports, operator, record.id)).toMatchObject(refused);
    sim.pass(3_600_000);
    await tickPackages(sim.ports);
    await noteEndedSessions(sim.ports);
    await announcePackages(sim.ports);
    expect(only(sim).record).toEqual(record);
    expect(sim.ports.store.read((tx) => tx.currentInboxItems({ packageId: record.id }))).toEqual([]);
  });

  it('[package P26] the package of a run is not announced to agents', async () => {
    const sim = await recorded();
    await syncHandoffPackages(sim.ports);
    const { runId: _, ...byHand } = only(sim);
    expect(only(sim).record.state).toBe('pending');
    expect(announcementOf(byHand)).toMatchObject({ to: 'developer-con-1' });
    expect(announcementOf(only(sim))).toBeUndefined();
  });

  it('[package P26] an agent cannot create a continuation package itself during its handoff run', async () => {
    const sim = await recorded();
    const value = {
      from: { agent: 'developer-con-1' },
      to: { agent: 'developer-con-1', reason: 'I go' },
      context: { summary: 'Parser of 12 rules done in src/parse.ts', open_questions: [] },
    };
    const made = await createPackage(
      sim.ports,
      { kind: 'agent', agentId: 1 },
      { authored: { value, problems: [] }, seal: true, waivers: [] },
    );
    expect(made).toMatchObject({ code: 'agent_in_handoff', runId: 1 });
  });

  it('[package P25] if an agent hands off while it works on a received package, the continuation package joins the chain of the received package', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    const value = {
      from: { agent: 'human' },
      to: { agent: 'developer-con-1', reason: 'Con wrote the lexer' },
      context: { summary: 'Parser of 12 rules wanted in src/parse.ts', open_questions: [] },
      expectations: { deliverable: 'The parser', success_criteria: ['`npm test` passes'] },
    };
    const operator = { kind: 'operator', channel: 'cli' } as const;
    const wanted = { authored: { value, problems: [] }, projectId: 1, seal: true, waivers: [] };
    const made = await createPackage(sim.ports, operator, wanted);
    if (!('record' in made)) throw new Error(made.sentence);
    const con = { kind: 'agent', agentId: 1 } as const;
    const got = await receivePackage(sim.ports, con, made.record.id);
    if (!('stored' in got)) throw new Error(got.sentence);
    await acknowledgePackage(sim.ports, con, made.record.id, {
      understood: { task: 'Write the parser' },
      starting: true,
    });
    await writeDocument(sim);
    await syncHandoffPackages(sim.ports);
    const chain = showChain(sim.ports, operator, made.record.id);
    expect('packages' in chain && chain.packages.map(({ record }) => record.type)).toEqual([
      'delegation',
      'continuation',
    ]);
    expect(sim.ports.store.read((tx) => tx.packageById(made.record.id)?.record)).toMatchObject({ state: 'accepted' });
  });
});
