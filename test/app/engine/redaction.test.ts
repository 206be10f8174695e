import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Hit, hitsBelow, hitsIn } from '../../../prove/guard/scan.ts';
import { SECRET_KINDS, type SeededSecret, seededSecrets } from '../../../prove/guard/secrets.ts';
import { createFileLog } from '../../../src/adapters/home/file-log.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { primeAgent } from '../../../src/app/engine/effects/type-prompts.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { acknowledgeHandoff } from '../../../src/app/handoffs/acknowledge-handoff.ts';
import { requestHandoff } from '../../../src/app/handoffs/request-handoff.ts';
import { createOperatorNotifier } from '../../../src/app/inbox/notify-operator.ts';
import { raiseNotice } from '../../../src/app/inbox/raise-notice.ts';
import { answerQuestion } from '../../../src/app/messages/answer-question.ts';
import { sendMessage } from '../../../src/app/messages/send-message.ts';
import { saveStartText } from '../../../src/app/messages/sent-prompts.ts';
import { refuseText } from '../../../src/app/packages/validate-authored.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { SimWorld } from './sim-world.ts';

/**
 * The secrets for these tests. The tests run the real use cases with a real database and log file. Every text that
 * reaches Baton from outside contains all of these secrets.
 */
const secrets = seededSecrets(7, 60);

class Leaky {
  readonly folder = mkdtempSync(join(tmpdir(), 'btx-'));
  readonly sim = new SimWorld();
  readonly ports: Ports;

  constructor() {
    const { ports } = this.sim;
    const given: Partial<Ports> = {
      store: openSqliteStore(join(this.folder, 'baton.db'), () => 'host'),
      log: createFileLog(join(this.folder, 'baton.log'), ports.secrets.redact),
    };
    Object.assign(ports, given);
    this.ports = ports;
    ports.secrets.learn(
      secrets.flatMap(({ variable, value }) => (variable === undefined ? [] : [{ name: variable, value }])),
    );
  }

  /** Finds secrets in the files, the event stream, the inbox and the sent notifications. */
  hits(): readonly Hit[] {
    const { store } = this.ports;
    const events = [];
    for (let page = store.read((tx) => tx.eventsAfter(0, 1_000)); page.length > 0; ) {
      events.push(...page);
      const last = page.at(-1)?.seq ?? 0;
      page = store.read((tx) => tx.eventsAfter(last, 1_000));
    }
    return [
      ...hitsBelow(this.folder, secrets),
      ...hitsIn('event stream', JSON.stringify(events), secrets),
      ...hitsIn('inbox', JSON.stringify(store.read((tx) => tx.openInboxItems())), secrets),
      ...hitsIn('notifications', JSON.stringify(this.sim.notified), secrets),
    ];
  }
}

const HOOKS: readonly (readonly [event: string, payload: (line: string) => object])[] = [
  ['UserPromptSubmit', (line) => ({ prompt: `do it\n${line}`, prompt_id: 'p1' })],
  ['UserPromptSubmit', (line) => ({ prompt: 'x', prompt_id: line.slice(0, 200) })],
  ['PreToolUse', (line) => ({ tool_name: line.slice(0, 200), tool_use_id: line.slice(0, 200) })],
  ['PermissionRequest', (line) => ({ tool_name: line.slice(0, 200) })],
  ['Notification', (line) => ({ notification_type: 'permission_prompt', message: line })],
  ['StopFailure', (line) => ({ last_assistant_message: line })],
  ['StopFailure', (line) => ({ error: line })],
  ['PreCompact', (line) => ({ trigger: line })],
  ['PostCompact', (line) => ({ compact_summary: `${'so far '.repeat(20)}${line}` })],
  ['SessionStart', (line) => ({ source: 'resume', transcript_path: `/t/${line}` })],
  ['SessionEnd', (line) => ({ reason: line })],
];

let leaky: Leaky;
beforeAll(() => {
  leaky = new Leaky();
});

describe('[T20] [T24] redaction of sixty secrets of at least twenty kinds', () => {
  it('the generator of test secrets is deterministic', () => {
    expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(20);
    expect(new Set(secrets.map(({ value }) => value)).size).toBe(60);
    expect(seededSecrets(7, 60)).toEqual(secrets);
  });

  it('secrets in hooks are redacted', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    const leaving = await sim.addAgent();
    for (const { line } of secrets) {
      for (const [event, payload] of HOOKS) sim.hook(event === 'SessionEnd' ? leaving : agent, event, payload(line));
    }
    await drainSpool(ports);
    expect(ports.store.read((tx) => tx.lastSeq())).toBeGreaterThan(secrets.length * 8);
    expect(leaky.hits()).toEqual([]);
  });

  it('secrets in messages, answers and terminal output are redacted', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    sim.outcome = { verdict: 'typed', enters: 1 };
    for (const { line } of secrets) {
      sim.outcome = { verdict: 'refused', reason: 'draft', detail: `its composer holds "${line}"` };
      await sendMessage(ports, agent.id, `please use this: ${line}`);
      await answerQuestion(ports, agent.id, { question: 'q', text: line.replaceAll('\n', ' ') });
    }
    expect(leaky.hits()).toEqual([]);
    sim.outcome = { verdict: 'typed', enters: 1 };
    const { line } = secrets[2] as SeededSecret;
    await sendMessage(ports, agent.id, `exactly ${line}`);
    expect(sim.typed.at(-1)?.text).toBe(`exactly ${line}`);
  });

  it('secrets in questions on a screen are redacted', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    const { look } = createReconciler(ports, createHealth(ports));
    for (const { line } of secrets.slice(0, 60)) {
      sim.screen = { kind: 'dialog', text: `Run ${line}?` };
      await look();
      sim.pass(1_000);
      await look();
      expect(sim.agent(agent.id).question?.text).toContain('[redacted ');
    }
    for (const { line } of secrets)
      await sim.record({
        type: 'agent_seen_asking',
        agentId: agent.id,
        question: line,
        asked: { id: 'q', text: line, options: [{ number: 1, label: line }], takesText: false },
      });
    expect(leaky.hits()).toEqual([]);
  });

  it('secrets in program errors, in documents and in the output of git are redacted', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    const run = await sim.handOver(agent.id);
    const health = createHealth(ports);
    for (const [index, { line }] of secrets.entries()) {
      await sim.record(
        { type: 'agent_launch_failed', agentId: agent.id, detail: line },
        { type: 'priming_failed', agentId: agent.id, detail: line },
        { type: 'effect_failed', runId: run.id, doing: 'type_instruction', detail: line },
        { type: 'clock_ticked', runId: run.id, lastScreen: line },
        {
          type: 'document_checked',
          runId: run.id,
          result: { verdict: 'unreadable', detail: line },
          findings: [{ rule: 'likely_secret', sentence: line }],
        },
        {
          type: 'document_compared',
          runId: run.id,
          findings: [{ rule: 'likely_secret', sentence: line }],
          git: { kind: 'unknown', why: 'not_a_repository', sentence: line },
        },
      );
      ports.log.error(`tmux said: ${line}`, { about: line });
      for (let times = 0; times < 3; times++)
        await health.guard(`do ${index % 20}`, () => Promise.reject(new Error(line)));
    }
    expect(hitsIn('health', health.current().join(), secrets)).toEqual([]);
    expect(leaky.hits()).toEqual([]);
  });

  it('secrets in acknowledgments and notifications are redacted', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    Object.assign(ports.notifier, {
      send: async (notification: (typeof sim.notified)[number]) => {
        sim.notified.push(notification);
        return [
          { channel: 'webhook', outcome: 'failed', sentence: secrets[sim.notified.length % secrets.length]?.line },
        ];
      },
    });
    for (const { line } of secrets) {
      await ports.store.write((tx) =>
        raiseNotice(tx, ports, { type: 'agent_warning', sentence: line }, { agentId: agent.id, runId: null }),
      );
      // Let a minute pass first, because the notifier combines more than ten notifications in a minute into one
      // notification.
      sim.pass(60_000);
      const notifier = createOperatorNotifier(ports);
      notifier.wake();
      await notifier.stop();
    }
    expect(sim.notified.length).toBeGreaterThanOrEqual(secrets.length);
    const run = await sim.handOver((await sim.addAgent()).id);
    await ports.store.write((tx) => {
      tx.saveRun({ ...run, step: 'completed', successorAgentId: agent.id });
    });
    for (const { line } of secrets) {
      await ports.store.write((tx) => tx.saveRun({ ...run, step: 'completed', successorAgentId: agent.id }));
      const said = { runId: run.id, proof: run.endToken, task: line };
      expect(isRefusal(await acknowledgeHandoff(ports, agent, said))).toBe(false);
    }
    expect(leaky.hits()).toEqual([]);
  });

  it('a secret in a skill is typed unchanged, but is redacted in the store', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    /**
     * Marks the agent as waiting for the skill with the reference `ref`, because Baton types a skill only into an agent
     * that waits for this skill.
     */
    const wish = (ref: string): Promise<void> =>
      ports.store.write((tx) => {
        const waits = { promptId: null, accepted: false, retryAt: null, told: false };
        tx.saveAgent({ ...agent, priming: { status: 'typing', ref, ...waits } });
      });
    for (const [index, { line }] of secrets.entries()) {
      sim.skill = `Know this: ${line}`;
      await wish(`skill-${index}`);
      await primeAgent(ports, { kind: 'prime_agent', agentId: agent.id, ref: `skill-${index}` });
      expect(sim.typed.at(-1)?.text).toContain(line);
      await saveStartText(ports, { ...agent, priming: { status: 'none' } }, `name-${index}`, line);
    }
    // Request the skill with the same reference a second time, as Baton does after a crash. Baton must type the same
    // text as the first time.
    await primeAgent(ports, { kind: 'prime_agent', agentId: agent.id, ref: 'skill-199' });
    expect(sim.typed.at(-1)?.text).toContain(secrets.at(-1)?.line);
    expect(leaky.hits()).toEqual([]);
  });

  it('packages and notes that contain secrets are refused', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    expect(secrets.filter(({ line }) => refuseText(ports, { reason: line }) === undefined)).toEqual([]);
    expect(refuseText(ports, { reason: 'The tests are red.' })).toBeUndefined();
    for (const { line } of secrets)
      expect(await requestHandoff(ports, agent.id, { reason: undefined, note: line })).toMatchObject({
        code: 'bad_request',
      });
    expect(leaky.hits()).toEqual([]);
  });

  it('if Baton learns a secret while a notification is queued, the secret is redacted before the notification is sent', async () => {
    const { sim, ports } = leaky;
    const agent = await sim.addAgent();
    const late = 'wanderlust-in-november';
    await ports.store.write((tx) =>
      raiseNotice(
        tx,
        ports,
        { type: 'agent_warning', sentence: `It says ${late}.` },
        { agentId: agent.id, runId: null },
      ),
    );
    ports.secrets.learn([{ name: 'LATE_TOKEN', value: late }]);
    const notifier = createOperatorNotifier(ports);
    notifier.wake();
    await notifier.stop();
    expect(sim.notified.at(-1)?.body).toContain('It says [redacted LATE_TOKEN].');
  });
});
