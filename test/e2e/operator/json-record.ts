import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { differences, mergeShapes, type Shape, shapeOf } from '../../support/json-shape.ts';

/** A command's shapes: of its answer, and of each refusal with its code and exit code. */
type Outcomes = Record<string, Shape>;

/**
 * Commands that got another name after the record was made, as old and new path. The record keeps the old path; the old
 * spelling stays as a hidden alias, and both have to answer with the recorded shape.
 */
const RENAMED: readonly (readonly [string, string])[] = [
  ['succeed', 'handoff --emergency'],
  ['runs', 'handoff list'],
  ['run list', 'handoff list'],
  // `run show --watch` prints the run, too.
  ['run show', 'handoff watch'],
  ...[
    ...['show', 'texts', 'wait', 'interrupt', 'check-again', 'instruct-again', 'retry', 'accept', 'force-exit'],
    ...['approve', 'send-back', 'cancel', 'resume', 'use-recorded', 'undo', 'adopt'],
  ].map((verb) => [`run ${verb}`, `handoff ${verb}`] as const),
  ['record show', 'handoff show-record'],
  ['record resume', 'handoff resume-record'],
];

/** Maps whose keys are data, by command and path. */
const OPEN: readonly RegExp[] = [
  // The keys of a log line depend on its message.
  /^logs: \[\]$/,
  // Artifacts by their path, with their hash.
  /\bartifacts$/,
  // docs/handoff-package.schema.json is the record of this one.
  /^package schema: $/,
];

/** Differences to the record that are meant, by a line of command, outcome and path. */
const DOCUMENTED: readonly { readonly where: RegExp; readonly why: string }[] = [
  { where: /^(?:agent list|handoff list|persona (?:lineage|handoffs)), answer, next: new$/, why: 'lists have pages' },
  { where: /^events, answer, .*\.(?:bad_news|kind|sentence): new$/, why: 'the server describes each event' },
];

/** The walk causes these events on any machine; programs know them by name. */
export const CERTAIN_EVENTS = [
  ...['server_started', 'settings_changed', 'persona_registered', 'persona_edited', 'persona_given', 'project_added'],
  ...['project_default_persona_changed', 'agent_created', 'agent_launched', 'agent_state_changed', 'agent_muted'],
  ...['agent_stop_asked', 'agent_process_gone', 'agent_resumed', 'session_started', 'prompt_typed', 'turn_ended'],
  ...['message_begun', 'message_verdict', 'document_place_prepared', 'document_checked', 'handoff_progress'],
  ...['handoff_error', 'handoff_acknowledged', 'handoff_complete', 'operator_chose', 'successor_can_start'],
  ...['inbox_opened', 'inbox_resolved', 'package_created', 'package_sealed', 'package_acknowledged'],
  ...['package_answered', 'package_completed', 'package_decided', 'package_waived'],
];

/** Notes the shape of each command's JSON, and compares it with the record or rewrites the record. */
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

  /** Differences that are not documented, as lines of command, outcome and path. */
  differences(): readonly string[] {
    const before = this.read();
    return [...this.commands].flatMap(([command, outcomes]) => {
      const old = before[nameInRecord(command, before)];
      if (old === undefined) return [`${command}: not in the record`];
      return Object.entries(outcomes).flatMap(([outcome, shape]) => {
        const same = old[outcome];
        const found = same === undefined ? ['new'] : differences(same, shape);
        return found
          .map((difference) => `${command}, ${outcome}, ${difference}`)
          .filter((line) => !DOCUMENTED.some(({ where }) => where.test(line)));
      });
    });
  }

  /** Adds to the record, because one run does not show every optional key. Delete the file to begin anew. */
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
