import { runShellCommand } from '../run-shell-command.ts';
import type { Session } from './session.ts';
import type { HookCommand, Settings } from './settings.ts';

export interface HookOutcome {
  /** True if a hook blocked the event by exiting with code 2. */
  readonly blocked: boolean;
  readonly additionalContext: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 10_000;
/** The maximum time that the exiting practice agent waits for a hook. The real client waits equally long. */
const LAST_TIMEOUT_MS = 3000;
const NOTHING: HookOutcome = { blocked: false, additionalContext: [] };
const WITHOUT_PERMISSION_MODE = [
  'SessionStart',
  'SessionEnd',
  'Notification',
  'StopFailure',
  'PreCompact',
  'PostCompact',
];

/** Runs hooks strictly one after another, so that the hooks report events in their original order. */
export class Hooks {
  private readonly commands: Settings['hooks'];
  private readonly session: Session;
  private readonly dropped: ReadonlySet<string>;
  private readonly env: NodeJS.ProcessEnv;
  private last: Promise<unknown> = Promise.resolve();
  private generation = 0;

  constructor(commands: Settings['hooks'], session: Session, dropped: readonly string[]) {
    this.commands = commands;
    this.session = session;
    this.dropped = new Set(dropped);
    this.env = { ...process.env, PRACTICE_PROJECT_DIR: session.cwd };
  }

  /**
   * Queues the hooks of an event. `fields` is called only when the hooks run, so that the hooks report current values.
   */
  fire(event: string, fields: () => Fields): Promise<HookOutcome> {
    const { generation } = this;
    const outcome = this.last.then(() => (generation === this.generation ? this.run(event, fields()) : NOTHING));
    this.last = outcome;
    return outcome;
  }

  /** Drops the events whose hooks have not started yet. Called when the process is about to exit. */
  abandonWaiting(): void {
    this.generation += 1;
  }

  private async run(event: string, fields: Fields): Promise<HookOutcome> {
    if (this.dropped.has(event)) return NOTHING;
    const input = `${JSON.stringify(this.payload(event, fields))}\n`;
    const { cwd } = this.session;
    const timeoutMs = event === 'SessionEnd' ? LAST_TIMEOUT_MS : TIMEOUT_MS;
    let blocked = false;
    const additionalContext: string[] = [];
    for (const hook of this.commands.get(event) ?? []) {
      if (!applies(hook, fields)) continue;
      const result = await runShellCommand({ command: hook.command, cwd, env: this.env, input, timeoutMs });
      blocked ||= result.code === 2;
      additionalContext.push(...contextIn(result.stdout));
    }
    return { blocked, additionalContext };
  }

  private payload(event: string, fields: Fields): Fields {
    const { promptId } = this.session;
    return {
      ...this.session.identity(),
      ...(promptId === undefined ? {} : { prompt_id: promptId }),
      ...(WITHOUT_PERMISSION_MODE.includes(event) ? {} : { permission_mode: 'default' }),
      hook_event_name: event,
      ...fields,
    };
  }
}

function applies(hook: HookCommand, fields: Fields): boolean {
  if (hook.matcher === '' || hook.matcher === '*') return true;
  const subject = fields.tool_name ?? fields.source;
  return subject === undefined || new RegExp(`^(?:${hook.matcher})$`).test(String(subject));
}

function contextIn(stdout: string): string[] {
  try {
    const context: unknown = JSON.parse(stdout)?.hookSpecificOutput?.additionalContext;
    return typeof context === 'string' ? [context] : [];
  } catch {
    return [];
  }
}
