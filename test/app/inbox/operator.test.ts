import { describe, expect, it } from 'vitest';
import { startAgent } from '../../../src/app/agents/start-agent.ts';
import { stopAgent } from '../../../src/app/agents/stop-agent.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { loadRunContext } from '../../../src/app/engine/run-context.ts';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { acknowledgeHandoff } from '../../../src/app/handoffs/acknowledge-handoff.ts';
import { chooseRunAction, resumeHandoff } from '../../../src/app/handoffs/choose-run-action.ts';
import { succeedAgent } from '../../../src/app/handoffs/replace-agent.ts';
import { requestHandoff } from '../../../src/app/handoffs/request-handoff.ts';
import { dismissInboxItem } from '../../../src/app/inbox/dismiss-inbox-item.ts';
import { createOperatorNotifier } from '../../../src/app/inbox/notify-operator.ts';
import { restoreInboxItem } from '../../../src/app/inbox/restore-inbox-item.ts';
import type { Fact } from '../../../src/domain/facts.ts';
import { offers } from '../../../src/domain/handoffs/actions.ts';
import type { GitFacts } from '../../../src/domain/handoffs/document/git-facts.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { SimWorld } from '../engine/sim-world.ts';

const submitted = (agentId: number, ref: string): Fact => ({
  type: 'prompt_submitted',
  agentId,
  promptId: 'p',
  ref,
  textHash: '',
  excerpt: '',
});
const stop = (agentId: number): Fact => ({ type: 'turn_ended', agentId, promptId: 'p', backgroundTasks: 0 });
const gone = (agentId: number): Fact => ({ type: 'agent_process_gone', agentId, detail: 'its process has ended' });

/** Performs pending effects until none is left. */
async function settle(sim: SimWorld): Promise<void> {
  const runner = createEffectRunner(sim.ports);
  for (let round = 0; round < 50; round++) {
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await runner.stop();
}

const repository = (head: string, changed: number): GitFacts => ({
  kind: 'repository',
  root: '/p',
  head,
  branch: 'main',
  branches: { names: ['main'], all: true },
  dirty: { count: changed, untracked: 0, unsure: 0, files: [] },
  diffstat: null,
  upstream: null,
  unknownCommits: [],
});

const inbox = (sim: SimWorld) => sim.ports.store.read((tx) => tx.openInboxItems());

/** Creates a run that halted because its document is missing. The agent of the run is still alive. */
async function withoutDocument(...beside: readonly string[]): Promise<SimWorld> {
  const sim = new SimWorld();
  sim.newTexts = beside;
  await sim.addAgent();
  sim.document = { verdict: 'missing' };
  await sim.handOver(1);
  await settle(sim);
  await sim.record(submitted(1, `${sim.run().nonce}-instruction`), stop(1));
  await settle(sim);
  expect(sim.run().failure?.code).toBe('document_missing');
  return sim;
}

describe('the inbox', () => {
  it('if the document of a handoff is missing, the failure message lists other new files, but no documents of other handoffs', async () => {
    const folder = '/home/data/personas/developer-con-1/handoffs';
    const sim = await withoutDocument(`${folder}/20261118T132034-4429afc1.md`, `${folder}/my-notes.md`);
    expect(sim.run().failure?.sentence).toContain(`New files since the instruction: ${folder}/my-notes.md.`);
    expect(sim.run().failure?.sentence).not.toContain('4429afc1');
  });

  it('[000 Error notification] [H46] the inbox shows the failure of a run until the run continues', async () => {
    const sim = await withoutDocument();
    expect(inbox(sim)).toMatchObject([
      { kind: 'failure', runId: 1, agentId: 1, sentence: sim.run().failure?.sentence },
    ]);
    await chooseRunAction(sim.ports, { runId: 1, action: 'check_again' });
    expect(inbox(sim)).toEqual([]);
    await settle(sim);
    expect(inbox(sim)).toHaveLength(1);
    expect(sim.notices('inbox_opened')).toHaveLength(2);
    expect(sim.notices('inbox_resolved')).toHaveLength(1);
  });

  it('[H46] a dismissed inbox item does not come back while its cause persists', async () => {
    const sim = await withoutDocument();
    const [item] = inbox(sim);
    await dismissInboxItem(sim.ports, item?.id ?? 0);
    await sim.record({ type: 'late_document_seen', runId: 1 });
    expect(inbox(sim).map(({ kind }) => kind)).toEqual(['decision']);
    expect(await dismissInboxItem(sim.ports, 99)).toMatchObject({ code: 'inbox_item_not_found' });
  });

  it.each([
    ['lost', { type: 'agent_pane_lost', agentId: 1, detail: 'its tmux server has ended' }, 'was lost since then'],
    ['ended', { type: 'agent_process_gone', agentId: 1, detail: 'its process has ended' }, 'has ended since then'],
  ] as const)(
    '[D13] after the agent has %s, the inbox item about the failure no longer says "The agent was left running"',
    async (_state, fact, now) => {
      const sim = await withoutDocument();
      expect(inbox(sim)[0]?.sentence).toContain('The agent was left running.');
      await sim.record(fact);
      const failure = inbox(sim).find(({ kind }) => kind === 'failure');
      expect(failure?.sentence).not.toContain('left running');
      expect(failure?.sentence).toContain(`(agent 1) ${now}: ${fact.detail}.`);
      expect(failure?.hint).toBe('Start a successor from what Baton knows: baton handoff 1 --emergency.');
    },
  );

  it('[D9] a dismissed inbox item can be restored only while its cause exists', async () => {
    const sim = await withoutDocument();
    const [item] = inbox(sim);
    const id = item?.id ?? 0;
    await dismissInboxItem(sim.ports, id);
    expect(inbox(sim)).toEqual([]);
    expect(await restoreInboxItem(sim.ports, id)).toMatchObject({ id, resolvedAt: null, resolution: null });
    expect(inbox(sim)).toEqual([item]);
    expect(sim.notices('inbox_restored')).toHaveLength(1);
    // Restoring the inbox item a second time must change nothing.
    expect(await restoreInboxItem(sim.ports, id)).toEqual(item);
    expect(sim.notices('inbox_restored')).toHaveLength(1);

    await dismissInboxItem(sim.ports, id);
    await chooseRunAction(sim.ports, { runId: 1, action: 'check_again' });
    expect(await restoreInboxItem(sim.ports, id)).toMatchObject({
      code: 'inbox_item_not_restorable',
      sentence: `Inbox item ${id} cannot be restored, because its cause is resolved`,
    });
    expect(await restoreInboxItem(sim.ports, 99)).toMatchObject({ code: 'inbox_item_not_found' });
  });

  it('[D9] a dismissed notice can be restored', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.record({ type: 'agent_interrupted', agentId: 1, refusal: 'it does not work' });
    const [notice] = inbox(sim);
    await dismissInboxItem(sim.ports, notice?.id ?? 0);
    await restoreInboxItem(sim.ports, notice?.id ?? 0);
    expect(inbox(sim)).toEqual([notice]);
  });

  it('[H46] the inbox items of an old run close when its agent has a newer run', async () => {
    const sim = await withoutDocument();
    await sim.handOver(1);
    expect(inbox(sim)).toEqual([]);
  });

  it('[F19] a question that blocks a run causes one inbox item, which belongs to the run', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.handOver(1);
    await settle(sim);
    await sim.record({ type: 'input_requested', agentId: 1, promptId: 'p', question: 'asks permission to use Bash' });
    expect(inbox(sim)).toMatchObject([{ kind: 'question', runId: 1 }]);
    expect(inbox(sim)[0]?.sentence).toContain('asks permission to use Bash');
    await sim.record(stop(1));
    expect(inbox(sim).filter(({ kind }) => kind === 'question')).toEqual([]);
  });

  it('[H46] during a run, the inbox lists the open question of the agent as an item of the run and not as an item of the agent', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    const asked = { type: 'input_requested', agentId: 1, promptId: 'p', question: 'asks something' } as const;
    await sim.record(asked);
    expect(inbox(sim)).toMatchObject([{ key: 'agent/1/asks' }]);
    await sim.handOver(1);
    expect(inbox(sim).map(({ key }) => key)).not.toContain('agent/1/asks');
    await settle(sim);
    await sim.record({ type: 'clock_ticked', runId: 1 });
    expect(inbox(sim)).toMatchObject([{ key: 'run/1/asks' }]);
    await chooseRunAction(sim.ports, { runId: 1, action: 'cancel' });
    expect(inbox(sim)).toMatchObject([{ key: 'agent/1/asks' }]);
  });

  it('the inbox shows the questions and notices of an agent that is not in a run', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.record({ type: 'input_requested', agentId: 1, promptId: null, question: 'asks something' });
    await sim.record({ type: 'agent_interrupted', agentId: 1, refusal: 'it does not work' });
    expect(inbox(sim).map(({ kind }) => kind)).toEqual(['question', 'notice']);
    await sim.record(stop(1));
    expect(inbox(sim).map(({ kind }) => kind)).toEqual(['notice']);
    await dismissInboxItem(sim.ports, inbox(sim)[0]?.id ?? 0);
    expect(inbox(sim)).toEqual([]);
  });
});

describe('an agent whose terminal is used by another program', () => {
  it("[F14] the inbox says that another program uses the agent's terminal, until that program ends", async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.handOver(1);
    await sim.record({ type: 'terminal_taken', agentId: 1 });
    expect(inbox(sim)).toMatchObject([{ kind: 'decision', runId: null, agentId: 1 }]);
    await sim.record({ type: 'terminal_returned', agentId: 1 });
    expect(inbox(sim)).toEqual([]);
  });
});

describe('an action on a run', () => {
  it('an action on a run is refused if the current step of the run does not allow the action', async () => {
    const sim = await withoutDocument();
    expect(await chooseRunAction(sim.ports, { runId: 1, action: 'approve' })).toMatchObject({
      code: 'action_not_possible',
      hint: expect.stringContaining('check-again'),
      runId: 1,
    });
    expect(await chooseRunAction(sim.ports, { runId: 9, action: 'wait' })).toMatchObject({ code: 'run_not_found' });
  });

  it('[H35] an action on a run is refused if the agent has a newer run', async () => {
    const sim = await withoutDocument();
    const newer = await sim.handOver(1);
    expect(await chooseRunAction(sim.ports, { runId: 1, action: 'check_again' })).toMatchObject({
      code: 'newer_run_exists',
      runId: newer.id,
    });
  });

  it('[F28] choosing "adopt" changes nothing if the given file cannot be adopted as the document', async () => {
    const sim = await withoutDocument();
    sim.notAdoptable = 'it is empty';
    const before = sim.run();
    expect(await chooseRunAction(sim.ports, { runId: 1, action: 'adopt', file: '/p/x.md' })).toMatchObject({
      code: 'file_not_adoptable',
      sentence: 'it is empty',
    });
    expect(await chooseRunAction(sim.ports, { runId: 1, action: 'adopt' })).toMatchObject({ code: 'bad_request' });
    expect(sim.run()).toEqual(before);
    sim.notAdoptable = undefined;
    sim.document = { verdict: 'good', sha256: 'abc', bytes: 3, markerFound: true };
    await chooseRunAction(sim.ports, { runId: 1, action: 'adopt', file: '/p/x.md' });
    await settle(sim);
    expect(sim.run().handoffId).toBe(1);
  });

  it('[F30] an action on a failed run can use a document that appeared after the failure', async () => {
    const sim = await withoutDocument();
    sim.evidence = { fingerprint: 'f', markerFound: true };
    const reconciler = createReconciler(sim.ports, createHealth(sim.ports));
    for (let look = 0; look < 3; look++) {
      sim.pass(1_000);
      await reconciler.look();
    }
    expect([sim.run().lateDocument, sim.run().step]).toEqual([true, 'failed']);
    expect(inbox(sim).map(({ kind }) => kind)).toEqual(['failure', 'decision']);
    sim.document = { verdict: 'good', sha256: 'abc', bytes: 3, markerFound: true };
    await chooseRunAction(sim.ports, { runId: 1, action: 'check_again' });
    await settle(sim);
    expect(sim.run().handoffId).toBe(1);
    expect(inbox(sim)).toEqual([]);
  });

  it('[002 FR16] the action "resume" starts another successor and creates no second handoff record', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.handOver(1);
    await settle(sim);
    await sim.record(submitted(1, `${sim.run().nonce}-instruction`), stop(1));
    await settle(sim);
    sim.launchProblem = 'no room';
    await sim.record(gone(1));
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'failed', handoffId: 1 });
    expect(await requestHandoff(sim.ports, 1, { reason: undefined, note: undefined })).toMatchObject({
      code: 'handoff_in_progress',
      runId: 1,
    });
    sim.launchProblem = undefined;
    expect(await resumeHandoff(sim.ports, 99)).toMatchObject({
      code: 'handoff_not_found',
      sentence: 'Handoff record 99 not found',
    });
    await resumeHandoff(sim.ports, 1);
    await settle(sim);
    expect(sim.run().step).toBe('awaiting_registration');
    const { agents, records } = sim.ports.store.read((tx) => ({
      agents: tx.agents(),
      records: tx.handoffs({ limit: 9 }),
    }));
    expect(agents.map(({ state, previousAgentId }) => [state, previousAgentId])).toEqual([
      ['ended', null],
      ['ended', 1],
      ['starting', 1],
    ]);
    expect(records).toHaveLength(1);
  });

  it('[H43] the action "undo" resumes the conversation of the predecessor in a new agent', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ runtimeSessionId: 'old-session' });
    await sim.handOver(1);
    await settle(sim);
    await sim.record(submitted(1, `${sim.run().nonce}-instruction`), stop(1));
    await settle(sim);
    await sim.record(gone(1));
    await settle(sim);
    await chooseRunAction(sim.ports, { runId: 1, action: 'undo' });
    await settle(sim);
    expect(sim.ended).toEqual([sim.agent(2).pane?.paneId]);
    await sim.record(gone(2));
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'cancelled', broughtBackAgentId: 3 });
    expect(sim.agent(3)).toMatchObject({
      previousAgentId: 1,
      resumesSession: 'old-session',
      priming: { status: 'done' },
    });
    expect(sim.launched.at(-1)?.resumes).toMatchObject({ sessionId: 'old-session' });
    await sim.record({ type: 'session_started', agentId: 3, runtimeSessionId: 'old-session', source: 'resume' });
    expect((await sim.handOver(3)).step).toBe('requested');
  });
});

describe('an undo whose predecessor cannot be resumed', () => {
  it('[H43] a failed resume after an undo opens an inbox item', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.handOver(1);
    await settle(sim);
    await sim.record(submitted(1, `${sim.run().nonce}-instruction`), stop(1));
    await settle(sim);
    await sim.record(gone(1));
    await settle(sim);
    await chooseRunAction(sim.ports, { runId: 1, action: 'undo' });
    await sim.record(gone(2));
    await settle(sim);
    expect(sim.run().broughtBackAgentId).toBe(3);
    expect(await chooseRunAction(sim.ports, { runId: 1, action: 'resume' })).toMatchObject({
      code: 'action_not_possible',
    });
    await sim.record(gone(3));
    expect(inbox(sim)).toMatchObject([
      { kind: 'failure', runId: 1, hint: expect.stringContaining('handoff resume 1') },
    ]);
    await chooseRunAction(sim.ports, { runId: 1, action: 'resume' });
    await settle(sim);
    expect(inbox(sim)).toEqual([]);
    expect(sim.run()).toMatchObject({ step: 'awaiting_registration', successorAgentId: 4, broughtBackAgentId: null });
    expect(sim.agent(4)).toMatchObject({ previousAgentId: 1, resumesSession: null });
  });
});

describe('an emergency handoff', () => {
  it('[H44] the failure message of an emergency handoff mentions neither an exit nor a document', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ lastPrompt: 'mend the parser' });
    await sim.record(gone(1));
    Object.assign(sim, { notAProject: 'the folder is gone' });
    await succeedAgent(sim.ports, 1, { reason: undefined, note: undefined });
    await settle(sim);
    const { failure } = sim.run();
    expect(failure).toMatchObject({ code: 'successor_cannot_start', sentence: expect.stringContaining('is gone') });
    expect(`${failure?.sentence} ${failure?.hint}`).not.toMatch(/asked? (?:the agent )?to exit|document|left running/);
    expect(failure?.hint).toContain('baton handoff retry 1');
  });

  it('[D7] [H44] the emergency prompt does not mention a document or a transcript that does not exist', async () => {
    const promptFor = async (prompts: string[]): Promise<string> => {
      const sim = new SimWorld();
      await sim.addAgent({ transcriptPath: '/t/1.jsonl' });
      sim.prompts = prompts;
      await sim.record(gone(1));
      await succeedAgent(sim.ports, 1, { reason: undefined, note: undefined });
      return sim.ports.store.read((tx) => tx.handoffById(1))?.injectionPrompt ?? '';
    };
    expect(await promptFor([])).not.toMatch(/unverified handoff document|\/t\/1\.jsonl/);
    expect(await promptFor(['hello'])).toContain('/t/1.jsonl');
  });

  it('[H44] if Baton cannot write a document, the emergency prompt itself contains the code for the acknowledgment', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ lastPrompt: 'mend the parser' });
    await sim.record(gone(1));
    sim.document = { verdict: 'unreadable', detail: 'the disk is full' };
    await succeedAgent(sim.ports, 1, { reason: undefined, note: undefined });
    const record = sim.ports.store.read((tx) => tx.handoffById(1));
    expect(record).toMatchObject({ filePath: null });
    expect(record?.injectionPrompt).toContain(`--proof ${sim.run().endToken}`);
  });

  it('[H56] an agent under a usage limit is asked to exit, and Baton writes the document for its successor', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ lastPrompt: 'mend the parser' });
    const words = 'You have hit your limit';
    await sim.record({ type: 'usage_limit_hit', agentId: 1, words, until: null, continuesItself: false });
    await succeedAgent(sim.ports, 1, { reason: undefined, note: undefined });
    await settle(sim);
    expect(sim.run()).toMatchObject({ emergency: true, step: 'shutting_down' });
    expect(sim.typed.map(({ text }) => text)).toEqual(['/exit']);
    expect(sim.written.get('data/x.md')).toContain(`it is under a usage limit: ${words}.`);
    await sim.record(gone(1));
    expect(sim.run().successorAgentId).toBe(2);
  });

  it.each([
    [null, 'instructing'],
    ['2100-01-01T00:00:00.000Z', 'failed'],
  ])(
    '[H56] if %s is the recorded end of the usage limit of an agent, the action "instruct-again" leads to the step %s',
    async (until, step) => {
      const sim = await withoutDocument();
      const words = 'Your credit balance is too low';
      await sim.record({
        type: 'usage_limit_hit',
        agentId: 1,
        words,
        until: until === null ? null : instantFromMs(Date.parse(until)),
        continuesItself: false,
      });
      expect(sim.agent(1).state).toBe('limited');
      await chooseRunAction(sim.ports, { runId: 1, action: 'instruct_again' });
      expect([sim.run().step, sim.run().failure?.code]).toEqual([
        step,
        step === 'failed' ? 'agent_limited' : undefined,
      ]);
    },
  );

  it('[H44] [F31] the prompt for the successor of a dead agent contains everything that Baton knows about that agent', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ lastPrompt: 'mend the parser' });
    expect(await succeedAgent(sim.ports, 1, { reason: undefined, note: undefined })).toMatchObject({
      code: 'agent_still_active',
    });
    await sim.record(gone(1));
    const run = await succeedAgent(sim.ports, 1, { reason: undefined, note: 'careful' });
    expect(run).toMatchObject({ emergency: true, step: 'recorded', handoffId: 1 });
    await settle(sim);
    expect(sim.run().step).toBe('awaiting_registration');
    const session = sim.agent(2).sessionUuid;
    await sim.record({ type: 'session_started', agentId: 2, runtimeSessionId: session, source: 'startup' });
    await settle(sim);
    const { priming } = sim.agent(2);
    await sim.record(submitted(2, priming.status === 'typing' ? priming.ref : ''), stop(2));
    await settle(sim);
    const record = sim.ports.store.read((tx) => tx.handoffById(1));
    expect(record).toMatchObject({
      filePath: 'data/x.md',
      injectionPrompt: expect.stringContaining('mend the parser'),
    });
    const document = sim.written.get('data/x.md') ?? '';
    expect(document).toContain('**Written by Baton, not by the agent.**');
    expect(document).toContain('> mend the parser');
    expect(document.trimEnd().endsWith(`<!-- handoff-end:${sim.run().endToken} -->`)).toBe(true);
    expect(record?.injectionPrompt).not.toContain(sim.run().endToken);
    expect(sim.typed.at(-1)?.text).toContain('emergency handoff');
    const proof = sim.run().endToken;
    await acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof, task: 'go on' });
    expect(sim.run()).toMatchObject({ step: 'completed', acknowledgement: { task: 'go on' } });
  });
});

describe('notifications outside of Baton', () => {
  const notifier = async (sim: SimWorld): Promise<void> => {
    const telling = createOperatorNotifier(sim.ports);
    telling.wake();
    telling.wake();
    await telling.stop();
  };

  it('[002 NFR1] [000 Error notification] [D11] a failed run causes one notification with the cause and the next step', async () => {
    const sim = await withoutDocument();
    await notifier(sim);
    expect(sim.notified).toEqual([
      {
        title: 'Handoff 1 of Con (agent 1) failed',
        body: `${sim.run().failure?.sentence}\nOpen Baton to choose the next step.`,
        urgency: 'critical',
        target: { path: '/runs/1', itemId: 1, agentId: 1, runId: 1, packageId: null },
      },
    ]);
    expect(sim.notified[0]?.body).toContain('Con (agent 1)');
    expect(inbox(sim)).toMatchObject([{ notifiedAt: expect.any(String), notified: { os: 'sent' } }]);
    expect(sim.notices('operator_notified')).toHaveLength(1);
    await notifier(sim);
    expect(sim.notified).toHaveLength(1);
  });
});

describe('findings about a document or a template', () => {
  it('[F27] findings about a document do not stop the run', async () => {
    const sim = await withoutDocument();
    sim.document = { verdict: 'good', sha256: 'abc', bytes: 3, markerFound: true };
    sim.documentText = '# Notes\nTODO\n';
    sim.missingPaths = ['src/gone.ts'];
    await chooseRunAction(sim.ports, { runId: 1, action: 'check_again' });
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'shutting_down', git: { kind: 'unknown' } });
    const rules = sim.run().findings.map(({ rule }) => rule);
    for (const rule of ['missing_sections', 'placeholder', 'missing_path']) expect(rules).toContain(rule);
  });

  it('a run continues if git fails while Baton compares the document with the project', async () => {
    const sim = await withoutDocument();
    sim.document = { verdict: 'good', sha256: 'abc', bytes: 3, markerFound: true };
    sim.ports.projects.git = async () => {
      throw new Error('git is broken');
    };
    await chooseRunAction(sim.ports, { runId: 1, action: 'check_again' });
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'shutting_down', findings: [], git: null });
  });

  it('while the inbox item about a template problem is open, Baton opens no second item, even after a restart', async () => {
    const sim = new SimWorld();
    const startAndLook = async (looks: number) => {
      const reconciler = createReconciler(sim.ports, createHealth(sim.ports));
      for (let look = 0; look < looks; look++) await reconciler.look();
    };
    sim.wordingProblems = ['instruction.txt is not used: it has no {{path}}.'];
    await startAndLook(40);
    expect(sim.logged.filter((line) => line.includes('{{path}}')).length).toBeLessThan(10);
    await startAndLook(4);
    expect(inbox(sim)).toHaveLength(1);
    sim.wordingProblems = ['instruction.txt is not used: it has no {{end_marker}}.'];
    await startAndLook(4);
    expect(inbox(sim)).toMatchObject([{ sentence: expect.stringContaining('{{end_marker}}') }]);
    sim.wordingProblems = [];
    await startAndLook(1);
    expect(inbox(sim)).toEqual([]);
  });

  it('if the operator dismissed the inbox item about a template problem, the next start of Baton reports the problem again', async () => {
    const sim = new SimWorld();
    sim.wordingProblems = ['instruction.txt is not used.'];
    for (let server = 0; server < 2; server++) {
      const reconciler = createReconciler(sim.ports, createHealth(sim.ports));
      for (let look = 0; look < 4; look++) await reconciler.look();
      expect(inbox(sim)).toHaveLength(1);
      await dismissInboxItem(sim.ports, inbox(sim)[0]?.id ?? 0);
    }
  });

  it('an unusable template is reported in the health report until the operator fixes it', async () => {
    const sim = new SimWorld();
    sim.wordingProblems = ['instruction.txt is not used: it has no {{path}}.'];
    const health = createHealth(sim.ports);
    const reconciler = createReconciler(sim.ports, health);
    for (let look = 0; look < 3; look++) await reconciler.look();
    expect(health.current().join()).toContain('{{path}}');
    expect(
      inbox(sim)
        .map(({ sentence }) => sentence)
        .join(),
    ).toContain('{{path}}');
    sim.wordingProblems = [];
    await reconciler.look();
    expect(health.current()).toEqual([]);
  });
});

describe('force-ending an agent', () => {
  it('a forced stop ends an agent that never got a pane', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent({ state: 'starting' });
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, pane: null, tmuxSession: 'elsewhere' }));
    sim.panes = { ...sim.panes, panes: [] };
    await stopAgent(sim.ports, agent.id, true);
    await settle(sim);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'ended', stateReason: 'the agent was never started' });
  });
});

describe('a document and its handoff record', () => {
  /** Simulates the writing of a document: the prompt is submitted, the turn ends, and Baton checks the document. */
  async function writes(sim: SimWorld, text: string, sha256: string): Promise<void> {
    sim.documentText = text;
    sim.document = { verdict: 'good', sha256, bytes: text.length, markerFound: true };
    const { nonce, attempt } = sim.run();
    await settle(sim);
    await sim.record(submitted(1, `${nonce}-instruction${attempt === 1 ? '' : `-${attempt}`}`), stop(1));
    await settle(sim);
  }
  const records = (sim: SimWorld) => sim.ports.store.read((tx) => tx.handoffs({ limit: 10 }));

  async function underReview(git?: GitFacts): Promise<SimWorld> {
    const sim = new SimWorld();
    if (git !== undefined) sim.git = git;
    await sim.addAgent();
    await requestHandoff(sim.ports, 1, { reason: 'shift_end', note: undefined, review: true });
    await writes(sim, 'the first', 'aaa');
    expect(sim.run()).toMatchObject({ step: 'recorded', handoffId: 1 });
    return sim;
  }

  it('[S-3] [002 NFR3] if a document is written again after "cancel" and "resume", the handoff record is updated, not created again', async () => {
    const sim = await underReview();
    const [before] = records(sim);
    await chooseRunAction(sim.ports, { runId: 1, action: 'cancel' });
    expect(await requestHandoff(sim.ports, 1, { reason: undefined, note: undefined })).toMatchObject({
      code: 'handoff_in_progress',
    });
    expect(await resumeHandoff(sim.ports, 1)).toMatchObject({ step: 'requested' });
    await writes(sim, 'the second', 'bbb');
    const after = records(sim);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before?.id, agentId: 1, reason: 'shift_end', createdAt: before?.createdAt });
    expect(after[0]?.filePath).not.toBe(before?.filePath);
    expect(after[0]?.injectionPrompt).toContain(after[0]?.filePath);
  });

  it('[S-3] a successor that gets an older document is told what happened after the document was written', async () => {
    const sim = await underReview(repository('aaaa1111', 0));
    await chooseRunAction(sim.ports, { runId: 1, action: 'cancel' });
    sim.git = repository('bbbb2222', 3);
    sim.pass(60_000);
    await sim.record({
      type: 'prompt_submitted',
      agentId: 1,
      promptId: 'u',
      ref: null,
      excerpt: 'go on',
      textHash: '',
    });
    await sim.record({ type: 'turn_ended', agentId: 1, promptId: 'u', backgroundTasks: 0 });
    const run = await chooseRunAction(sim.ports, { runId: 1, action: 'use_recorded' });
    expect(run).toMatchObject({ step: 'recorded', document: { sha256: 'aaa' } });
    const told = sim.run().warnings.at(-1) ?? '';
    const changes =
      'another prompt, and the last commit changed to bbbb2222, and the number of files with uncommitted changes went from 0 to 3.';
    expect(told).toMatch(/^Con \(agent 1\) wrote the document at /);
    expect(told).toContain(`; since then it got ${changes}`);
    expect(records(sim)[0]?.injectionPrompt).toContain(`since then it got ${changes}`);
  });

  it('[H42] [H52] if the author of a document ends during its review, the inbox item of the review says so and advises only actions that are still possible', async () => {
    const sim = await underReview();
    expect(inbox(sim)[0]?.hint).toContain('baton handoff send-back 1');
    await sim.record(gone(1));
    const [item] = inbox(sim);
    expect(item?.sentence).toMatch(/approval: \S+\.md\. The agent has ended since then \(its process has ended\)\.$/);
    expect(item?.hint).not.toContain('send-back');
    const titles = sim.ports.store.read((tx) => offers(sim.run(), loadRunContext(tx, sim.ports, sim.run())));
    expect(titles.map(({ action, title }) => [action, title])).toEqual([
      ['approve', 'Approve the document; Baton then starts the successor'],
      ['cancel', 'Cancel the handoff; the document and its record are kept'],
    ]);
    await chooseRunAction(sim.ports, { runId: 1, action: 'approve' });
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'awaiting_registration', successorAgentId: 2 });
  });

  it('[S-16] the action "send-back" types the comment of the operator to the agent', async () => {
    const sim = await underReview();
    const back = (comment?: string) => chooseRunAction(sim.ports, { runId: 1, action: 'send_back', comment });
    expect(await back(' ')).toMatchObject({ code: 'bad_request' });
    expect(await back('x'.repeat(1_001))).toMatchObject({ code: 'note_too_long' });
    expect(await back('the key is ghp_1234567890abcdefghijklmnopqrstuvwxyzAB')).toMatchObject({ code: 'bad_request' });
    expect(sim.run().step).toBe('recorded');
    await back('What remains is missing.');
    await writes(sim, 'the second', 'bbb');
    expect(sim.typed.map(({ text }) => text.includes('What remains is missing.'))).toEqual([false, true]);
    expect(sim.run()).toMatchObject({ step: 'recorded', review: 'wanted', document: { sha256: 'bbb' } });
    expect(records(sim)).toHaveLength(1);
    expect(sim.typed.some(({ text }) => text === '/exit')).toBe(false);
  });

  it.each([
    ['blank', ' \n\t\n', 'contains only white space'],
    ['binary', 'PK\u0003\u0000\ufffd\ufffd', 'not UTF-8 text'],
  ])('[S-16] a %s document opens an inbox item before the agent is asked to exit', async (_what, text, words) => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.handOver(1);
    await writes(sim, text, 'aaa');
    expect(sim.run()).toMatchObject({ step: 'recorded', review: 'wanted', handoffId: 1 });
    expect(inbox(sim)).toMatchObject([{ kind: 'decision', runId: 1, sentence: expect.stringContaining(words) }]);
    expect(inbox(sim)[0]?.hint).toMatch(/baton handoff approve 1.*baton handoff send-back 1/);
    expect(sim.typed.some(({ text: typed }) => typed === '/exit')).toBe(false);
    await chooseRunAction(sim.ports, { runId: 1, action: 'approve' });
    await settle(sim);
    expect(sim.typed.at(-1)?.text).toBe('/exit');
  });

  it("[S-16] [F28] the inbox names new files in the agent's folders if the document is missing", async () => {
    const sim = await withoutDocument('/p/HANDOFF.md');
    expect(inbox(sim)).toMatchObject([
      { sentence: expect.stringContaining('/p/HANDOFF.md'), hint: expect.stringContaining('adopt 1 /p/HANDOFF.md') },
    ]);
  });
});

describe('the task given to a successor', () => {
  /** Plays a handoff until its record is stored. Returns the prompt for the successor. */
  async function promptAfter(sim: SimWorld, agentId: number): Promise<string> {
    const run = await sim.handOver(agentId);
    await settle(sim);
    await sim.record(submitted(agentId, `${run.nonce}-instruction`), stop(agentId));
    await settle(sim);
    return sim.ports.store.read((tx) => tx.handoffOfAgent(agentId))?.injectionPrompt ?? '';
  }

  /**
   * Completes the handoff: the successor starts, gets its skill and acknowledges the given task. If `task` is null, the
   * successor does not acknowledge.
   */
  async function takesOver(sim: SimWorld, agentId: number, task: string | null): Promise<number> {
    await sim.record(gone(agentId));
    await settle(sim);
    const runId = sim.ports.store.read((tx) => tx.runsOfAgent(agentId)).at(-1)?.id ?? 0;
    const successor = sim.run(runId).successorAgentId ?? 0;
    await sim.record({
      type: 'session_started',
      agentId: successor,
      runtimeSessionId: `s${successor}`,
      source: 'startup',
    });
    await settle(sim);
    await sim.record(submitted(successor, `${sim.agent(successor).sessionUuid.slice(0, 8)}-skill`), stop(successor));
    await settle(sim);
    await sim.record(submitted(successor, `${sim.run(runId).nonce}-injection`), stop(successor));
    const { endToken } = sim.run(runId);
    if (task !== null) await acknowledgeHandoff(sim.ports, sim.agent(successor), { runId, proof: endToken, task });
    else {
      await sim.ports.store.write((tx) => tx.saveRun({ ...sim.run(runId), step: 'completed', deadlineAt: null }));
    }
    expect(sim.run(runId).step).toBe('completed');
    return successor;
  }

  it('[S-4] [002 FR12] the successor gets the task that its predecessor had acknowledged', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ lastPrompt: 'Write the parser.' });
    expect(await promptAfter(sim, 1)).toContain('asked to do: Write the parser.');
    const second = await takesOver(sim, 1, 'I finish the parser and its tests.');
    expect(sim.agent(second).lastPrompt).toBeNull();
    expect(await promptAfter(sim, second)).toContain('asked to do: I finish the parser and its tests.');
    const third = await takesOver(sim, second, 'I write the tests that are left.');
    expect(await promptAfter(sim, third)).toContain('asked to do: I write the tests that are left.');
    // The fourth agent does not acknowledge, so its successor must get the task that the third agent acknowledged.
    const fourth = await takesOver(sim, third, null);
    expect(await promptAfter(sim, fourth)).toContain('asked to do: I write the tests that are left.');
  });

  it('[S-4] [002 FR12] a later prompt of the operator does not replace the task for the successor', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ lastPrompt: 'Write the parser.' });
    await promptAfter(sim, 1);
    const second = await takesOver(sim, 1, 'I finish the parser.');
    const asked = {
      type: 'prompt_submitted',
      agentId: second,
      promptId: 'u',
      ref: null,
      excerpt: 'go on',
      textHash: '',
    } as const;
    await sim.record(asked, { type: 'turn_ended', agentId: second, promptId: 'u', backgroundTasks: 0 });
    expect(await promptAfter(sim, second)).toContain('asked to do: go on (continuing the task: I finish the parser.)');
  });
});

describe('the successor of a run', () => {
  /**
   * Creates a run whose successor, agent 2, has started and waits for its skill. The handoff prompt has not been typed
   * yet.
   */
  async function beforePrompt(review = false): Promise<SimWorld> {
    const sim = new SimWorld();
    await sim.addAgent();
    const { nonce } = await sim.handOver(1, review);
    await settle(sim);
    await sim.record(submitted(1, `${nonce}-instruction`), stop(1));
    await settle(sim);
    if (review) await chooseRunAction(sim.ports, { runId: 1, action: 'approve' });
    await settle(sim);
    await sim.record(gone(1));
    await settle(sim);
    await sim.record({ type: 'session_started', agentId: 2, runtimeSessionId: 's2', source: 'startup' });
    await settle(sim);
    return sim;
  }
  const takesSkill = (sim: SimWorld) =>
    sim.record(submitted(2, `${sim.agent(2).sessionUuid.slice(0, 8)}-skill`), stop(2));
  const acknowledges = (sim: SimWorld) =>
    acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof: sim.run().endToken, task: 'go on' });

  it.each(['retry', 'resume'] as const)(
    '[S-2] [F42] after a failed attempt to give the skill, the action "%s" gives the successor its skill again',
    async (action) => {
      const sim = await beforePrompt();
      const skills = () => sim.typed.map(({ id }) => id).filter((id) => id.includes('-skill'));
      expect(skills()).toHaveLength(1);
      await sim.record({ type: 'priming_failed', agentId: 2, detail: 'unreadable' });
      expect(sim.run().failure?.code).toBe('skill_failed');
      expect(await chooseRunAction(sim.ports, { runId: 1, action })).toMatchObject({ step: 'injecting_skill' });
      expect(await chooseRunAction(sim.ports, { runId: 1, action })).toMatchObject({ code: 'action_not_possible' });
      await settle(sim);
      expect([sim.run().step, sim.run().failure, skills().length]).toEqual(['injecting_skill', null, 2]);
      await sim.record(submitted(2, skills()[1] ?? ''), stop(2));
      await settle(sim);
      expect([sim.run().step, skills().length]).toEqual(['delivering_prompt', 2]);
    },
  );

  it('[H35] [H43] actions on a run are refused as soon as the successor has a handoff run of its own', async () => {
    const sim = await beforePrompt();
    await takesSkill(sim);
    await settle(sim);
    await sim.record(submitted(2, `${sim.run().nonce}-injection`));
    await sim.record({ type: 'turn_failed', agentId: 2, promptId: 'p', error: 'no network' });
    expect(sim.run().failure).toMatchObject({ at: 'awaiting_acknowledgement' });
    expect(inbox(sim).filter(({ runId }) => runId === 1)).toMatchObject([{ kind: 'failure' }]);
    await sim.handOver(2);
    expect(inbox(sim).filter(({ runId }) => runId === 1)).toEqual([]);
    for (const action of ['undo', 'retry', 'resume'] as const)
      expect(await chooseRunAction(sim.ports, { runId: 1, action })).toMatchObject({
        code: 'newer_run_exists',
        runId: 2,
      });
  });

  it('[H1] [H44] for a successor that ended before it got the document, an emergency handoff is refused with the advice to retry the handoff', async () => {
    const sim = await beforePrompt();
    await sim.record({ type: 'priming_failed', agentId: 2, detail: 'unreadable' });
    const live = await requestHandoff(sim.ports, 2, { reason: undefined, note: undefined });
    expect(live).toMatchObject({ runId: 1, hint: expect.stringContaining('baton handoff resume 1') });
    sim.pass(1_000);
    await sim.record(gone(2));
    const retry = { code: 'handoff_in_progress', runId: 1, hint: expect.stringMatching(/ baton handoff retry 1$/) };
    expect(await succeedAgent(sim.ports, 2, { reason: undefined, note: undefined })).toMatchObject(retry);
    expect(await requestHandoff(sim.ports, 2, { reason: undefined, note: undefined })).toMatchObject(retry);
    const advice = sim.inbox().find(({ key }) => key.includes('gone'));
    expect(advice).toMatchObject({
      hint: expect.stringMatching(/document of agent 1 is kept.* baton handoff retry 1$/),
    });
    await chooseRunAction(sim.ports, { runId: 1, action: 'retry' });
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'awaiting_registration', successorAgentId: 3 });
    expect(sim.inbox().filter(({ key }) => key.includes('gone'))).toEqual([]);
  });

  it('[H43] the end of a successor after an undo causes no inbox item, even if the successor got its skill after the undo', async () => {
    const sim = await beforePrompt();
    await chooseRunAction(sim.ports, { runId: 1, action: 'undo' });
    await takesSkill(sim);
    await sim.record(gone(2));
    expect(sim.run()).toMatchObject({ step: 'cancelled', broughtBackAgentId: 3 });
    expect(sim.inbox()).toEqual([]);
  });

  it("[H46] the end of a successor causes no second inbox item if the handoff already failed because the successor's pane was gone", async () => {
    const sim = await beforePrompt();
    sim.outcome = { verdict: 'refused', reason: 'pane_gone', detail: 'its pane is gone' };
    await takesSkill(sim);
    await settle(sim);
    expect(sim.run().failure).toMatchObject({ at: 'delivering_prompt', code: 'successor_gone' });
    sim.pass(1_000);
    await sim.record(gone(2));
    expect(sim.inbox()).toMatchObject([{ kind: 'failure', runId: 1 }]);
  });

  it('[S-9] the run gets a warning if the document was lost or changed before the successor read the document', async () => {
    for (const found of ['restored', 'changed'] as const) {
      const sim = await beforePrompt();
      sim.foundDocument = found;
      // Let the successor's hooks and acknowledgment arrive before the terminal reports that the prompt was typed.
      sim.beforePaste = async () => {
        sim.beforePaste = async () => undefined;
        await sim.record(submitted(2, `${sim.run().nonce}-injection`), stop(2));
        await acknowledges(sim);
      };
      await takesSkill(sim);
      await settle(sim);
      expect(sim.run()).toMatchObject({ step: 'completed', acknowledgement: { task: 'go on' } });
      expect(sim.run().warnings.join()).toContain(
        found === 'restored' ? 'restored it from its copy' : 'was changed after',
      );
    }
  });

  it.each([
    ['with', true, 'Baton put the version that you approved back in its place'],
    ['without', false, 'Baton still has a copy of the verified document'],
  ])(
    '[H42] [T21] if the document of a handoff %s a review was changed, the warning of the run says which version the successor reads',
    async (_what, review, words) => {
      const sim = await beforePrompt(review);
      sim.foundDocument = 'changed';
      await takesSkill(sim);
      await settle(sim);
      expect(sim.run()).toMatchObject({ step: 'delivering_prompt', review: review ? 'approved' : 'not_wanted' });
      expect(sim.run().warnings.join()).toContain(words);
    },
  );

  it('[S-11] [H30] a late acknowledgment completes a run that failed because its prompt was unconfirmed', async () => {
    const sim = await beforePrompt();
    await takesSkill(sim);
    await settle(sim);
    for (let second = 0; second < 40; second++) {
      sim.pass(1_000);
      await sim.record({ type: 'clock_ticked', runId: 1 });
    }
    expect(sim.run().failure).toMatchObject({ at: 'delivering_prompt', code: 'prompt_not_accepted' });
    const wrong = await acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof: 'guess', task: 'go on' });
    expect(wrong).toMatchObject({ code: 'wrong_proof' });
    expect(await acknowledges(sim)).toMatchObject({
      step: 'completed',
      failure: null,
      acknowledgement: { task: 'go on' },
    });
    expect(inbox(sim)).toEqual([]);
    expect(sim.notices('handoff_complete')).toMatchObject([{ acknowledged: true }]);
  });

  it('[S-10] [H44] the emergency prompt names a handoff document only if the document exists', async () => {
    for (const evidence of [undefined, { fingerprint: 'f', markerFound: false }]) {
      const sim = await withoutDocument();
      await sim.record(gone(1));
      sim.evidence = evidence;
      await succeedAgent(sim.ports, 1, { reason: undefined, note: undefined });
      const prompt = sim.ports.store.read((tx) => tx.handoffOfAgent(1))?.injectionPrompt ?? '';
      expect(prompt.includes('An unverified handoff document that it began')).toBe(evidence !== undefined);
    }
  });
});

describe('inbox items about an agent that is not in a run', () => {
  it("[L20] a failed turn of an agent stays in the inbox until the agent's next prompt", async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    const error = 'Not logged in · Please run /login';
    await sim.record(submitted(1, 'none'), { type: 'turn_failed', agentId: 1, promptId: 'p', error });
    expect(inbox(sim)).toMatchObject([
      { kind: 'decision', sentence: `Con (agent 1) stopped working: its turn failed: ${error}.`, agentId: 1 },
    ]);
    expect(inbox(sim)[0]?.hint).toContain('baton agent attach 1');
    await sim.record(submitted(1, 'none'));
    expect(inbox(sim)).toEqual([]);
  });

  it('[L24] the inbox item about a refused exit closes when the agent exits', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    const outcome = { verdict: 'refused', reason: 'busy', detail: 'the agent is working' } as const;
    await sim.record({ type: 'prompt_typed', agentId: 1, purpose: 'exit', ref: 'x-stop-abc', outcome });
    expect(inbox(sim)).toMatchObject([{ sentence: 'Agent 1 was not asked to exit: the agent is working' }]);
    await sim.record({ type: 'session_ended', agentId: 1, reason: 'prompt_input_exit' }, gone(1));
    expect(inbox(sim)).toEqual([]);
  });
});

describe("the operator's client settings", () => {
  it('the successor gets the client arguments and permission mode of its predecessor', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ clientArgs: ['--model', 'opus'] });
    await sim.record({ type: 'permission_mode_seen', agentId: 1, mode: 'plan' });
    await sim.record({ type: 'permission_mode_seen', agentId: 1, mode: 'plan' });
    expect(sim.notices('permission_mode_seen')).toHaveLength(1);
    const { nonce } = await sim.handOver(1);
    await settle(sim);
    await sim.record(submitted(1, `${nonce}-instruction`), stop(1));
    await settle(sim);
    await sim.record(gone(1));
    await settle(sim);
    expect(sim.launched.at(-1)).toMatchObject({ agentId: 2, clientArgs: ['--model', 'opus'], permissionMode: 'plan' });
    expect(JSON.stringify(sim.notices('agent_created'))).not.toContain('opus');
  });

  it('client arguments are refused if the client accepts none', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    const started = await startAgent(sim.ports, {
      projectId: 1,
      personaSlug: null,
      runtime: 'sim',
      clientArgs: ['-x'],
    });
    expect(started).toMatchObject({
      code: 'bad_request',
      sentence: 'Agents of type Simulated take no additional arguments; leave them out',
    });
  });
});
