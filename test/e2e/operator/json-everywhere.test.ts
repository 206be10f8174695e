import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Agent, Event, InboxItem, Run } from '../../../src/contract/resources.ts';
import { buildProgram } from '../../../src/surfaces/cli/build-program.ts';
import { OLD_BUILD, PROGRAM, run as spawned } from '../../support/baton-process.ts';
import { runInHome } from '../../surfaces/cli/support/run-in-home.ts';
import { delegation, gatePackage, returnPackage } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess, type Told } from '../packages/package-process.ts';
import { CERTAIN_EVENTS, JsonRecord } from './json-record.ts';

/**
 * The recorded JSON answers are from commit b4b2abf, the last commit before the source files were arranged by subject.
 * With BATON_RECORD=1, the test adds answers to the record instead of comparing them. BATON_OLD_BUILD names an older
 * build (its dist/main/baton.js) that gives the answers instead of the current build.
 */
const RECORDED_BUILD = process.env.BATON_RECORD ? (OLD_BUILD ?? PROGRAM) : undefined;
const record = new JsonRecord(fileURLToPath(new URL('../../fixtures/interface/json-shapes.json', import.meta.url)));

const scene = new PackageProcess();
scene.baton.program = RECORDED_BUILD ?? PROGRAM;
beforeAll(async () => void (await scene.begin()), 300_000);
afterAll(() => scene.baton.cleanUp());

/** Lists the full names of all visible commands that have `--json`. */
function commandsWithJson(command: Command, words: readonly string[] = []): readonly string[] {
  const own = command.options.some(({ long }) => long === '--json') ? [words.join(' ')] : [];
  const visible = command.createHelp().visibleCommands(command);
  return [...own, ...visible.flatMap((each) => commandsWithJson(each, [...words, each.name()]))];
}

const nothing = { write: () => undefined };
const ALL = commandsWithJson(
  buildProgram({ version: '0', stdout: nothing, stderr: nothing } as never, async () => undefined, true),
);

/** Parses one JSON object, or one JSON object per line (`events`, `logs`). Throws on empty output and plain text. */
function parsed(text: string): unknown {
  const whole = (): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    }
  };
  const answer = whole();
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  if (text.trim() === '' || !all.every((each) => typeof each === 'object' && each !== null))
    throw new Error(`no JSON object: ${text.slice(0, 400)}`);
  return answer;
}

interface Given {
  readonly by?: Agent;
  /** The refusal code that the command's JSON answer must contain. */
  readonly refused?: string;
  /**
   * If true, the command may exit with 1 or be refused, for example because `doctor` has findings. Only the refusal
   * codes `usage` and `bad_request` make the test fail.
   */
  readonly mayFind?: boolean;
}

const tried = new Set<string>();

async function json<T = Record<string, unknown>>(argv: readonly string[], given: Given = {}): Promise<T> {
  const command = ALL.filter((each) => `${argv.join(' ')} `.startsWith(`${each} `)).sort(
    (a, b) => b.length - a.length,
  )[0];
  if (command === undefined) throw new Error(`no command with --json: ${argv.join(' ')}`);
  tried.add(command);
  const { baton } = scene;
  const home = join(baton.home, 'operator');
  // Create the settings folders of the clients, because `hooks install` changes settings only in folders that exist.
  for (const folder of ['.claude', '.codex']) mkdirSync(join(home, folder), { recursive: true });
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    ...(given.by === undefined ? {} : { BATON_AGENT_TOKEN: scene.token(given.by) }),
  };
  const words = [...argv, '--json'];
  const ran =
    RECORDED_BUILD === undefined
      ? await runInHome(baton.home, words, { env })
      : await spawned(process.execPath, [RECORDED_BUILD, ...words], { ...env, BATON_HOME: baton.home });
  const answer = parsed(ran.stdout) as T & { readonly error?: string; readonly code?: string };
  record.note(command, argv, ran.code, answer);
  const about = `baton ${argv.join(' ')} --json: ${ran.stdout.slice(0, 400)}${ran.stderr}`;
  if (given.refused !== undefined) expect(answer.code, about).toBe(given.refused);
  else if (given.mayFind) expect(answer.code ?? '', about).not.toMatch(/^(usage|bad_request)$/);
  else expect([ran.code, answer.error], about).toEqual([0, undefined]);
  return answer;
}

const id = ({ id: number }: { readonly id: number | string }): string => String(number);

describe('[S-1] --json', () => {
  it('every command that has the option --json answers in JSON', { timeout: 900_000 }, async () => {
    const { baton } = scene;
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'btj-')));
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };

    // Commands about the server and the environment
    await json(['status']);
    await json(['ps']);
    await json(['search', 'handoff']);
    await json(['usage']);
    await json(['open']);
    await json(['devices']);
    await json(['logout', '--everywhere']);
    await json(['doctor'], { mayFind: true });
    await json(['logs']);
    await json(['config']);
    await json(['config', 'check']);
    await json(['service', 'status'], { mayFind: true });
    await json(['service', 'install', '--dry-run'], { mayFind: true });
    await json(['service', 'uninstall', '--dry-run'], { mayFind: true });
    await json(['completion', 'bash']);
    await json(['hooks', 'status'], { mayFind: true });
    await json(['hooks', 'install', '--dry-run']);
    await json(['hooks', 'uninstall', '--dry-run']);
    await json(['settings', 'show']);
    await json(['settings', 'test-notification'], { mayFind: true });
    await json(['settings', 'set', 'handoff_at_percent', '75']);
    await json(['settings', 'template', 'instruction']);
    await json(['rebuild']);
    const second = await spawned(process.execPath, [scene.baton.program, 'start', '--json'], {
      ...process.env,
      BATON_HOME: baton.home,
    });
    expect(JSON.parse(second.stdout)).toMatchObject({
      code: 'not_started',
      error: expect.stringContaining('already running'),
    });
    record.note('start', [], second.code, JSON.parse(second.stdout));
    tried.add('start');

    // Commands about personas and projects
    const { slug } = await json<{ slug: string }>(['persona', 'register', '--role', 'tester', '--name', 'Tim']);
    await json(['persona', 'list']);
    await json(['persona', 'show', slug]);
    await json(['persona', 'edit', slug, '--name', 'Tom']);
    await json(['persona', 'skill', slug]);
    await json(['persona', 'experience', slug]);
    await json(['persona', 'lineage', slug]);
    await json(['persona', 'handoffs', slug]);
    const project = await json<{ id: number }>(['project', 'add', baton.project({ handoff: 'ignore' })]);
    await json(['project', 'list']);
    await json(['project', 'exclude', '.'], { mayFind: true });
    await json(['project', 'runs-on', id(project), 'practice']);
    await json(['project', 'runs-on', id(project), 'none']);
    await json(['project', 'default-persona', id(project), slug]);

    // Commands about agents
    const start = (...more: readonly string[]) => json<Agent>(['agent', 'start', '--runtime', 'practice', ...more]);
    const silent = await start('--project', id(project));
    const nobody = await start('--project', scene.projectPath, '--no-persona');
    await json(['agent', 'give-persona', id(nobody), slug]);
    await baton.ready(nobody.id, true);
    await json(['agent', 'list']);
    await json(['agent', 'runtimes']);
    await json(['agent', 'show', id(nobody)]);
    await json(['agent', 'why', id(nobody)]);
    await json(['agent', 'screen', id(nobody)]);
    await json(['agent', 'attach', id(nobody)]);
    await json(['agent', 'env', id(nobody)]);
    await json(['agent', 'mute', id(nobody)]);
    await json(['agent', 'answer', id(nobody)], { mayFind: true });
    await json(['agent', 'send', id(nobody), 'Do the next step of PLAN.md.']);
    await baton.ready(nobody.id, true);
    await json(['agent', 'adopt', '0b1f5a62', '--yes'], { refused: 'candidate_not_found' });
    await json(['agent', 'release', id(nobody)], { refused: 'agent_not_adopted' });
    await json(['agent', 'restore', '--dry-run']);
    await json(['agent', 'interrupt', '999'], { refused: 'agent_not_found' });
    await json(['up', file('team.yaml', stringify({ agents: [{ name: 'Uma', role: 'tester' }] })), '--dry-run']);
    await json(['worktree', 'list']);
    await json(['worktree', 'remove', 'none', '--yes'], { refused: 'worktree_not_found' });

    // Commands about a handoff that waits for approval
    const reviewed = await json<{ run_id: number }>(['handoff', id(nobody), '--review', '--note', 'read this']);
    const first = String(reviewed.run_id);
    await baton.step(reviewed.run_id, 'recorded');
    await json(['handoff', 'list']);
    await json(['handoff', 'show', first]);
    await json(['handoff', 'texts', first]);
    await json(['handoff', 'approve', first]);
    const done = await baton.over(reviewed.run_id);
    expect(done, done.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    const token = /handoff-end:(\w+)/.exec(readFileSync(done.document?.absolute_path ?? '', 'utf8'))?.[1] ?? '';
    const successor = await baton.get<Agent>(`/api/agents/${done.successor_agent_id}`);
    await json(['ack', first, '--proof', token, '--task', 'go on'], { by: successor });
    await json(['handoff', 'watch', first]);
    await json(['handoff', 'show-record', String(done.handoff_id)]);
    await json(['handoff', 'resume-record', String(done.handoff_id), '--yes'], { refused: 'action_not_possible' });
    const impossible = [
      'wait',
      'interrupt',
      'retry',
      'accept',
      'force-exit',
      'undo',
      'cancel',
      'resume',
      'use-recorded',
    ];
    for (const action of impossible)
      await json(['handoff', action, first, '--yes'], { refused: 'action_not_possible' });
    await json(['handoff', 'send-back', first, 'too short'], { refused: 'action_not_possible' });
    await json(['handoff', 'nudge', first, '--yes'], { refused: 'action_not_possible' });
    await json(['handoff', 'message', first, 'read it'], { refused: 'action_not_possible' });

    // Commands about a handoff without a document
    const failed = await json<{ run_id: number }>(['handoff', id(silent)]);
    const other = String(failed.run_id);
    const failure = (nth: number) => {
      let seen = 0;
      return baton.event(({ run_id, type }) => run_id === failed.run_id && type === 'handoff_error' && ++seen === nth);
    };
    await failure(1);
    const { items } = await json<{ items: InboxItem[] }>(['inbox', 'list']);
    await json(['inbox', 'dismiss', id(items[0] ?? { id: 0 })]);
    await json(['inbox', 'restore', id(items[0] ?? { id: 0 })]);
    await json(['inbox', 'dismiss', id(items[0] ?? { id: 0 })]);
    await json<Run>(['handoff', 'check-again', other]);
    await failure(2);
    await json<Run>(['handoff', 'instruct-again', other]);
    await failure(3);
    writeFileSync(join(silent.project.path, 'HANDOFF.md'), '# Handoff\nAll of it.\n');
    await json<Run>(['handoff', 'adopt', other, join(silent.project.path, 'HANDOFF.md')]);
    await baton.event(({ run_id, data }) => run_id === failed.run_id && data.to === 'completed');

    // Commands that end agents
    const lone = await start('--project', scene.projectPath, '--persona', slug);
    await json(['agent', 'stop', id(lone), '--force', '--yes']);
    await baton.event((event) => event.agent_id === lone.id && event.data.to === 'ended');
    await json(['handoff', id(lone), '--emergency', '--note', 'it was ended']);
    const gone = await start('--project', scene.projectPath, '--persona', slug);
    // Stop the agent without force. With force, the terminal closes before the process ends, and `agent resume` is
    // refused as long as the process runs.
    await json(['agent', 'stop', id(gone)]);
    await baton.event((event) => event.agent_id === gone.id && event.data.to === 'ended');
    await json(['agent', 'resume', id(gone)]);
    await json(['agent', 'continue', id(gone)], { refused: 'action_not_possible' });

    // Commands about packages
    const packageFile = file('d.yaml', stringify({ handoff: delegation() }));
    const { con, ann } = scene;
    await json(['lint', packageFile], { mayFind: true });
    await json(['package', 'lint', packageFile], { mayFind: true });
    await json(['package', 'schema']);
    const made = await json<Told>(['package', 'create', packageFile], { by: con });
    const parts = ['--to', 'Ann', '--why', 'Ann knows it', '--summary', '12 endpoints', '--deliverable', 'docs/x.md'];
    // Give the project with --project, because the command would otherwise use the folder of the test run and write
    // `.project/` there.
    await json(['package', 'new', ...parts, '--project', scene.projectPath]);
    await json(['package', 'new', join(scene.baton.home, 'new.yaml'), ...parts]);
    await json(['package', 'list']);
    await json(['package', 'inbox'], { by: ann });
    await json(['package', 'show', made.id]);
    await json(['package', 'report', made.id]);
    await json(['package', 'contents', made.id]);
    await json(['package', 'remind', made.id]);
    await json(['package', 'reassign', made.id, 'nobody-9'], { refused: 'bad_request' });
    await json(['package', 'chain', made.id]);
    await json(['package', 'receive', made.id], { by: ann });
    await json(['package', 'agents'], { by: ann });
    const asked = await json<Told>(['package', 'ask', made.id, 'Which of the two?'], { by: ann });
    const question = JSON.stringify(asked).match(/Q-\d+-\d+/)?.[0] ?? 'Q-1-1';
    await json(['package', 'answer', made.id, `${question}=The public one`], { by: con });
    await json(['package', 'receive', made.id], { by: ann });
    await json(['package', 'ack', made.id, '--task', 'Report'], { by: ann });
    await json(['package', 'progress', made.id], { by: ann });
    await json(['package', 'return', made.id, file('r.yaml', stringify({ handoff: returnPackage() }))], { by: ann });
    await json(['package', 'complete', made.id, 'C-001=pass:2 of 2 addressed'], { by: ann });
    const draft = await json<Told>(['package', 'create', packageFile, '--draft'], { by: con });
    await json(['package', 'waive', draft.id, 'HP005', '--why', 'a spike', '--until', '2027-01-01T00:00:00Z'], {
      mayFind: true,
    });
    await json(['package', 'seal', draft.id], { by: con });
    await json(['package', 'decline', draft.id, '--code', 'out_of_scope', '--reason', 'not mine'], {
      by: ann,
      mayFind: true,
    });
    await json(['package', 'cancel', draft.id], { by: con, mayFind: true });
    const taken = await json<Told>(['package', 'create', packageFile], { by: con });
    await json(['package', 'fail', taken.id, '--cause', 'no access'], { by: con, mayFind: true });
    await json(['package', 'cancel', taken.id]);
    await json(['package', 'restore', taken.id]);
    const gate = await json<Told>(['package', 'create', file('g.yaml', stringify({ handoff: gatePackage() }))], {
      by: con,
    });
    await json(['package', 'decide', gate.id, 'approve'], { mayFind: true });
    await json(['workflow', 'show', String(scene.projectId)], { mayFind: true });
    await json(['workflow', 'check', file('w.yaml', 'workflow: {}\n')], { mayFind: true });

    // Commands about open points and lessons
    await json(['persona', 'points', slug]);
    await json(['persona', 'close-point', 'OP-999'], { refused: 'point_not_found' });
    await json(['persona', 'reopen-point', 'OP-999'], { refused: 'point_not_found' });
    await json(['persona', 'lessons', slug]);
    await json(['persona', 'accept-lesson', '999'], { refused: 'lesson_not_found' });
    await json(['persona', 'discard-lesson', '999'], { refused: 'lesson_not_found' });

    // Commands about policies, and the history of the inbox
    await json(['policy', 'set', 'auto', '--persona', slug, '--per-day', '2']);
    await json(['policy', 'list']);
    await json(['policy', 'show', id(con)]);
    await json(['policy', 'cancel', id(con)], { mayFind: true });
    await json(['policy', 'snooze', id(con)], { mayFind: true });
    await json(['policy', 'unset', '--persona', slug]);
    await json(['inbox', 'history']);

    // Commands about the fleet, on a machine that is in no fleet
    await json(['fleet', 'status']);
    await json(['fleet', 'agents'], { mayFind: true });
    await json(['fleet', 'inbox'], { mayFind: true });
    await json(['fleet', 'invite', 'laptop'], { mayFind: true });
    await json(['fleet', 'revoke', 'laptop', '--yes'], { mayFind: true });
    await json(['fleet', 'leave', '--yes'], { mayFind: true });
    await json(['fleet', 'join', 'no-code'], { refused: 'bad_invitation' });
    await json(['fleet', 'hub', 'Not A Name'], { refused: 'bad_machine_name' });

    const events = await json<readonly Event[]>(['events', '--limit', '5000']);
    expect([...new Set(events.map(({ type }) => type))]).toEqual(expect.arrayContaining(CERTAIN_EVENTS));

    // Commands for maintenance
    const saved = join(folder, 'saved.tar.gz');
    await json(['backup', saved]);
    await json(['restore', saved, '--yes'], { mayFind: true });
    await json(['export', join(folder, 'exported')]);
    await json(['purge', '--older-than', '90d']);
    await json(['persona', 'archive', slug], { mayFind: true });
    await json(['persona', 'restore', slug], { mayFind: true });
    await json(['demo', '--background']);
    await json(['stop']);

    expect(ALL.filter((each) => !tried.has(each))).toEqual([]);
  });

  it('the JSON of every command has the recorded fields, apart from the documented changes', () => {
    if (RECORDED_BUILD !== undefined) return record.write();
    expect(record.differences()).toEqual([]);
  });
});
