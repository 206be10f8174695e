import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { differences, mergeShapes, type Shape, shapeOf } from '../../support/json-shape.ts';

/** The JSON shapes of a command: one for its answer, and one for each refusal with its code and exit code. */
type Outcomes = Record<string, Shape>;

/**
 * Pairs of an old and a new name, for commands that were renamed after the record was made. The record has the old
 * names, which are still accepted as hidden aliases. Both names must answer with the recorded shape.
 */
const RENAMED: readonly (readonly [string, string])[] = [
  ['succeed', 'handoff --emergency'],
  ['runs', 'handoff list'],
  ['run list', 'handoff list'],
  // `handoff watch` replaces `run show --watch`, which prints the run like `run show`. All three commands have the same
  // shape.
  ['run show', 'handoff watch'],
  ...[
    ...['show', 'texts', 'wait', 'interrupt', 'check-again', 'instruct-again', 'retry', 'accept', 'force-exit'],
    ...['approve', 'send-back', 'cancel', 'resume', 'use-recorded', 'undo', 'adopt'],
  ].map((verb) => [`run ${verb}`, `handoff ${verb}`] as const),
  ['agent list', 'ps'],
  ['record show', 'handoff show-record'],
  ['record resume', 'handoff resume-record'],
];

/**
 * Objects whose keys are data, such as paths. The keys of these objects are not compared. Each pattern matches a line
 * that consists of a command and the path of an object.
 */
const OPEN: readonly RegExp[] = [
  // The keys of a log line depend on its message.
  /^logs: \[\]$/,
  // The artifacts are an object with the path as key and the hash as value.
  /\bartifacts$/,
  // The schema is compared with docs/handoff-package.schema.json by another test.
  /^package schema: $/,
];

/** Intended differences from the record. Each line consists of command, outcome and path. */
const DOCUMENTED: readonly { readonly where: RegExp; readonly why: string }[] = [
  {
    where: /^(?:agent list|ps|handoff list|persona (?:lineage|handoffs)), answer, next: new$/,
    why: 'lists have pages',
  },
  { where: /^status, answer, (?:address|agents|handoffs|inbox): new$/, why: 'the status is a digest' },
  { where: /^hooks (?:status|install|uninstall), answer, .*\.diff: new$/, why: 'a dry run shows a diff' },
  { where: /\bfirst_prompt: new$/, why: 'an agent can be started with its first prompt (U6)' },
  { where: /^settings \w+, answer, default_runtime: new$/, why: 'the default agent type is a setting (U4)' },
  { where: /^settings \w+, answer, accept_lessons: new$/, why: 'lessons can be accepted without asking (U16)' },
  {
    where: /^config, answer, keys\[\]\.(?:default|value): .* became .*string$/,
    why: 'default_runtime is a string (U4)',
  },
  {
    where: /^persona (?:points|close-point|reopen-point|lessons|accept-lesson|discard-lesson): not in the record$/,
    why: 'new commands (U16)',
  },
  { where: /^(?:stop|up|agent interrupt): not in the record$/, why: 'new commands (U6)' },
  { where: /, answer, (?:.*\.)?needs(?:\.\w+)?: new$/, why: 'each agent says what it needs (D8)' },
  { where: /^inbox \w+, answer, (?:.*\.)?persona: new$/, why: 'an item can be about the lessons of a persona (U16)' },
  { where: /^inbox \w+, answer, (?:.*\.)?severity: new$/, why: 'the inbox is sorted worst first (D9)' },
  { where: /^(?:devices|settings test-notification): not in the record$/, why: 'new commands (D10, D11)' },
  { where: /^package cancel, answer, new$/, why: 'the test now also cancels a package with success' },
  { where: /^inbox restore: not in the record$/, why: 'a dismissal can be undone (D9)' },
  { where: /^events, answer, .*\.(?:bad_news|kind|sentence): new$/, why: 'the server describes each event' },
  { where: /\bcut_off: new$|\bcontext_used_percent: new$/, why: 'an outage says who was cut off (D18)' },
  {
    where:
      /^(?:project exclude|agent continue|handoff nudge|handoff message|package (?:contents|remind|reassign|restore)): not in the record$/,
    why: 'new commands',
  },
  {
    where: /, answer, (?:.*\.)?(?:client_args|model|limit): new$/,
    why: 'model, arguments and usage limit of an agent',
  },
  { where: /, answer, (?:.*\.)?(?:runs_on|capabilities): new$/, why: 'the runtimes that a successor may run on' },
  { where: /^(?:package new|project runs-on): not in the record$/, why: 'new commands' },
  {
    where: /, answer, (?:.*\.)?(?:auto_handoff|handoff_policy|begun_because): new$/,
    why: 'agents, personas and projects have a handoff policy, and a run says why it began',
  },
  { where: /^hooks \w+, answer, .*\bplugin: new$/, why: 'hooks can also come from the Claude Code plugin' },
  { where: /^(?:policy \w+|fleet \w+|inbox history|search|usage): not in the record$/, why: 'new commands' },
  { where: /\bnotified: new$/, why: 'a package names the agent that was notified (D4)' },
  { where: /, answer, (?:.*\.)?usage(?:\..*)?: new$/, why: 'the tokens that an agent has used so far' },
  { where: /^settings \w+, answer, token_budget: new$/, why: 'a budget of tokens for a day' },
  { where: /^events, answer, .*\.(?:tokens|costMicros)\b.*: new$/, why: 'events hold the tokens of a turn' },
  { where: /^events, answer, .*\.(?:lead|told|cutOff)\b.*: new$/, why: 'events hold the new facts' },
];

const isUndocumented = (line: string): boolean => !DOCUMENTED.some(({ where }) => where.test(line));

/** Events that this test causes on every machine. Other programs may rely on the names of these events. */
export const CERTAIN_EVENTS = [
  ...['server_started', 'settings_changed', 'persona_registered', 'persona_edited', 'persona_given', 'project_added'],
  ...['project_default_persona_changed', 'agent_created', 'agent_launched', 'agent_state_changed', 'agent_muted'],
  ...['agent_stop_asked', 'agent_process_gone', 'agent_resumed', 'session_started', 'prompt_typed', 'turn_ended'],
  ...['message_begun', 'message_verdict', 'document_place_prepared', 'document_checked', 'handoff_progress'],
  ...['handoff_error', 'handoff_acknowledged', 'handoff_complete', 'operator_chose', 'successor_can_start'],
  ...['inbox_opened', 'inbox_resolved', 'package_created', 'package_sealed', 'package_acknowledged'],
  ...['package_answered', 'package_completed', 'package_decided', 'package_waived'],
];

/** Collects the shape of each command's JSON, and compares it with the record or adds it to the record. */
export class JsonRecord {
  private readonly commands = new Map<string, Outcomes>();

  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  note(command: string, argv: readonly string[], exitCode: number, answer: unknown): void {
    const spelled = argv.includes('--emergency') ? `${command} --emergency` : command;
    const refusal = answer as { readonly error?: string; readonly code?: string };
    const outcome = refusal.error === undefined ? 'answer' : `refused: ${refusal.code}, exit ${exitCode}`;
    const shape = shapeOf(answer, (path) => OPEN.some((pattern) => pattern.test(`${command}: ${path}`)));
    this.commands.set(spelled, added(this.commands.get(spelled) ?? {}, { [outcome]: shape }));
  }

  /** Returns the differences that are not in DOCUMENTED, each as a line of command, outcome and path. */
  differences(): readonly string[] {
    const before = this.read();
    return [...this.commands].flatMap(([command, outcomes]) => {
      const old = before[nameInRecord(command, before)];
      if (old === undefined) return [`${command}: not in the record`].filter(isUndocumented);
      return Object.entries(outcomes).flatMap(([outcome, shape]) => {
        const same = old[outcome];
        const found = same === undefined ? ['new'] : differences(same, shape);
        return found.map((difference) => `${command}, ${outcome}, ${difference}`).filter(isUndocumented);
      });
    });
  }

  /**
   * Adds the collected shapes to the record instead of replacing it, because one test run does not show every optional
   * key. To start over, delete the file first.
   */
  write(): void {
    const all = { ...this.read() };
    for (const [command, outcomes] of this.commands) all[command] = added(all[command] ?? {}, outcomes);
    const sorted = Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
    writeFileSync(this.path, `${JSON.stringify(sorted, null, 1)}\n`);
  }

  private read(): Record<string, Outcomes> {
    return existsSync(this.path) ? (JSON.parse(readFileSync(this.path, 'utf8')) as Record<string, Outcomes>) : {};
  }
}

function nameInRecord(command: string, record: object): string {
  if (command in record) return command;
  return RENAMED.find(([, now]) => now === command)?.[0] ?? command;
}

function added(one: Outcomes, other: Outcomes): Outcomes {
  const all = { ...one };
  for (const [outcome, shape] of Object.entries(other)) {
    const known = all[outcome];
    all[outcome] = known === undefined ? shape : mergeShapes(known, shape);
  }
  return all;
}
