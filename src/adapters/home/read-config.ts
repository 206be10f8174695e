import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type EnvironmentChange, whyNotSettable } from '../../domain/environment/variable.ts';
import { HEARTBEAT_MS } from '../../domain/fleet/presence.ts';
import { DEADLINES } from '../../domain/handoffs/deadlines.ts';
import { HANDOFF_AT_PERCENT } from '../../domain/handoffs/offer.ts';
import { STEPS } from '../../domain/handoffs/run.ts';
import type { QuietHours } from '../../domain/inbox/quiet-hours.ts';
import { DEFAULT_TIMERS, type PackageTimer } from '../../domain/packages/package-facts.ts';
import { refuseHost } from './allowed-host.ts';
import { HomeFault } from './home-fault.ts';

const seconds = z.number().min(1).max(86_400);

/**
 * The address of a channel for notifications. For an invalid address, Baton writes its own error message, because zod's
 * message could show the address, which may be a secret.
 */
const webAddress = z.string().refine(isWebAddress, 'must be an http or https address without user, password or #');

const told = (what: string) => z.boolean().default(true).describe(`Notify me ${what}.`);

const Notifications = z.strictObject({
  os: z.boolean().default(true).describe('Show notifications on this desktop.'),
  ntfy: webAddress
    .refine(hasTopic, 'must end with a topic, such as https://ntfy.sh/my-topic')
    .optional()
    .describe('Also send notifications to this ntfy topic. The address may be a secret.'),
  webhook: webAddress.optional().describe('Also post notifications as JSON to this address, which may be a secret.'),
  waits: told('when an agent or Baton waits for an answer or a decision'),
  finished: told('when an agent finishes after long work'),
  near_threshold: told('when an agent reaches the threshold for a handoff, once per session'),
  notices: told('about other events'),
});

const QuietHoursInFile = z
  .strictObject({
    from: timeOfDay().describe('The local time at which quiet hours begin, such as "22:00".'),
    to: timeOfDay().describe('The local time at which quiet hours end, such as "07:00".'),
  })
  .refine(({ from, to }) => from !== to, {
    message: 'from and to must differ',
  });

/** Exact host names of the operator's own proxy, as described in docs/REACH.md. */
const AllowedHosts = z.array(z.string().max(260).superRefine(refuseHost)).max(20);

/** Error messages never show the values of variables, because the values may be secrets. */
const Variables = z.record(z.string(), z.unknown()).superRefine((variables, context) => {
  for (const [name, value] of Object.entries(variables)) {
    const message = whyNotSettable(name, value);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
  }
});
const ProjectSettings = z.strictObject({ env: Variables.default({}) });

const Deadlines = z.strictObject(
  Object.fromEntries(
    STEPS.map((step) => [
      step,
      seconds
        .optional()
        .describe(`How long, in seconds, a handoff may stay at the step ${step} before the handoff halts.`),
    ]),
  ),
);

const TIMER_MEANS: Readonly<Record<PackageTimer, string>> = {
  draft: 'a draft may wait until it is sealed',
  acknowledge: 'a sealed package may wait until its receiver acknowledges it',
  clarify: 'questions may wait until they are answered',
  gate: 'a gate or an escalation may wait until a person decides it',
  work: 'an accepted package may wait until its receiver ends it or reports progress',
  gone: 'an ended agent keeps its packages in case the agent is resumed',
};
const TIMERS = Object.keys(DEFAULT_TIMERS) as PackageTimer[];
const PackageTimers = z.strictObject(
  Object.fromEntries(
    TIMERS.map((timer) => [timer, seconds.optional().describe(`How long, in seconds, ${TIMER_MEANS[timer]}.`)]),
  ),
);

const FleetInFile = z.strictObject({
  commands: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether this machine takes commands from the operators of other machines of its fleet.'),
  report_every_ms: z
    .int()
    .min(200)
    .max(10_000)
    .default(HEARTBEAT_MS)
    .describe('The time in milliseconds between two reports of this machine to its fleet if nothing happens.'),
});

/** Each key of config.json has a description, which explain-config.ts shows. */
export const ConfigFile = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(7421)
    .describe(
      'The port of the web page and the API. Only programs on this machine can connect to this port. 0 means any free port.',
    ),
  deadlines_seconds: Deadlines.default({}).describe('How long each step of a handoff may take, in seconds.'),
  package_timers_seconds: PackageTimers.default({}).describe('Time limits for packages, in seconds.'),
  package_archive: z
    .boolean()
    .default(true)
    .describe('Whether Baton also writes sealed packages into the project, in .project/07-audit/sessions.'),
  reconcile_every_ms: z
    .int()
    .min(50)
    .max(60_000)
    .default(2_000)
    .describe('The time in milliseconds between two checks of agents, panes and deadlines.'),
  message_receipt_seconds: seconds
    .default(8)
    .describe('How long, in seconds, `baton agent send` waits for the confirmation that the agent got the message.'),
  handoff_at_percent: z
    .int()
    .min(10)
    .max(100)
    .default(HANDOFF_AT_PERCENT)
    .describe('The context use, in percent, at which Baton suggests a handoff.'),
  notifications: Notifications.default(() => Notifications.parse({})).describe(
    'Which notifications Baton sends, and where.',
  ),
  notify_finished_after_seconds: seconds
    .default(60)
    .describe('How long, in seconds, an agent must have worked before Baton notifies you that the agent finished.'),
  quiet_hours: QuietHoursInFile.optional().describe(
    'Quiet hours in local time, such as {"from": "22:00", "to": "07:00"}. During quiet hours, Baton notifies you only of failures. When quiet hours end, Baton sends one summary of all other notifications.',
  ),
  accept_lessons: z
    .boolean()
    .default(false)
    .describe('If true, Baton writes the lessons of handoff documents to experience.md without asking you.'),
  token_budget: z
    .int()
    .min(1_000)
    .max(1_000_000_000_000)
    .optional()
    .describe(
      'How many tokens all agents together may use on one day before Baton sends a notice. Baton does not stop any agent.',
    ),
  default_runtime: z
    .string()
    .min(1)
    .max(60)
    .default('practice')
    .describe('The default agent type of new agents. To list the agent types: baton agent runtimes.'),
  allowed_hosts: AllowedHosts.default([]).describe(
    'Exact host names of your own tunnel or TLS proxy for this Baton, such as ["baton.my-tailnet.ts.net"]. Baton still listens on loopback only.',
  ),
  fleet: FleetInFile.default(() => FleetInFile.parse({})).describe('How this machine takes part in its fleet.'),
  env: Variables.default({}).describe('Environment variables for every agent; the value null removes a variable.'),
  projects: z
    .record(z.string(), ProjectSettings)
    .default({})
    .describe('Environment variables for the agents of one project. Each key is the name or the folder of a project.'),
});

export interface Config {
  readonly port: number;
  readonly deadlines: typeof DEADLINES;
  readonly packageTimers: typeof DEFAULT_TIMERS;
  readonly packageArchive: boolean;
  readonly reconcileEveryMs: number;
  readonly receiptMs: number;
  readonly handoffAtPercent: number;
  readonly notifications: {
    readonly os: boolean;
    readonly ntfy?: string;
    readonly webhook?: string;
    readonly waits: boolean;
    readonly finished: boolean;
    readonly near_threshold: boolean;
    readonly notices: boolean;
  };
  readonly finishedAfterSeconds: number;
  readonly quietHours: QuietHours | null;
  readonly acceptLessons: boolean;
  readonly tokenBudget: number | null;
  readonly defaultRuntime: string;
  readonly allowedHosts: readonly string[];
  readonly fleet: { readonly takesCommands: boolean; readonly reportEveryMs: number };
  readonly env: EnvironmentChange;
  readonly projects: Readonly<Record<string, EnvironmentChange>>;
}

/**
 * Reads config.json. Throws HomeFault on a wrong key or value; the message names the key or value and says what is
 * allowed.
 */
export const readConfig = (path: string): Config => parseConfig(path, readJson(path));

/** Parses the content of config.json. Throws HomeFault if it is invalid. */
export function parseConfig(path: string, json: unknown): Config {
  const parsed = ConfigFile.safeParse(json);
  if (!parsed.success) throw new HomeFault(`${path}: ${parsed.error.issues.map(explain).join(' ')}`);
  const { port, deadlines_seconds: wanted, reconcile_every_ms: reconcileEveryMs, notifications } = parsed.data;
  const { handoff_at_percent: handoffAtPercent } = parsed.data;
  const receiptMs = parsed.data.message_receipt_seconds * 1000;
  const deadlines = { ...DEADLINES };
  for (const step of STEPS) deadlines[step] = (wanted[step] ?? DEADLINES[step] / 1000) * 1000;
  const packageTimers = { ...DEFAULT_TIMERS };
  for (const timer of TIMERS)
    packageTimers[timer] = (parsed.data.package_timers_seconds[timer] ?? DEFAULT_TIMERS[timer] / 1000) * 1000;
  const { ntfy, webhook, ...tellings } = notifications;
  return {
    port,
    deadlines,
    packageTimers,
    packageArchive: parsed.data.package_archive,
    reconcileEveryMs,
    receiptMs,
    handoffAtPercent,
    notifications: {
      ...tellings,
      ...(ntfy === undefined ? {} : { ntfy }),
      ...(webhook === undefined ? {} : { webhook }),
    },
    finishedAfterSeconds: parsed.data.notify_finished_after_seconds,
    quietHours: parsed.data.quiet_hours ?? null,
    acceptLessons: parsed.data.accept_lessons,
    tokenBudget: parsed.data.token_budget ?? null,
    defaultRuntime: parsed.data.default_runtime,
    allowedHosts: parsed.data.allowed_hosts,
    fleet: { takesCommands: parsed.data.fleet.commands === 'on', reportEveryMs: parsed.data.fleet.report_every_ms },
    env: parsed.data.env as EnvironmentChange,
    projects: Object.fromEntries(
      Object.entries(parsed.data.projects).map(([project, { env }]) => [project, env as EnvironmentChange]),
    ),
  };
}

function timeOfDay() {
  return z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

function hasTopic(text: string): boolean {
  return !URL.canParse(text) || !new URL(text).pathname.endsWith('/');
}

/**
 * Reads the file. Returns an empty object if there is no file. Throws HomeFault if the file cannot be read or is not
 * JSON.
 */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new HomeFault(
      `${path} cannot be read (${(error as Error).message}). Make it a file that your user can read, then try again.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HomeFault(`${path} is ${notJson(error)}. Correct this file, then try again.`);
  }
}

/**
 * Returns what is wrong with the content of config.json; undefined if it is valid. Does not advise to correct the file,
 * because the file may be in a backup.
 */
export function problemInConfig(text: string): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return `It is ${notJson(error)}.`;
  }
  const parsed = ConfigFile.safeParse(json);
  return parsed.success ? undefined : parsed.error.issues.map(explain).join(' ');
}

/** Leaves out the parser's message, because the message quotes the text around the error, which may be a secret. */
function notJson(error: unknown): string {
  const [where] = /(?:at position|line) .*$/.exec((error as Error).message) ?? [];
  return `not valid JSON${where === undefined ? '' : ` (${where})`}`;
}

function explain(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const allowed =
      where === ''
        ? Object.keys(ConfigFile.shape)
        : where === 'notifications'
          ? Object.keys(Notifications.shape)
          : where === 'package_timers_seconds'
            ? Object.keys(DEFAULT_TIMERS)
            : where === 'quiet_hours'
              ? ['from', 'to']
              : issue.path[0] === 'projects'
                ? Object.keys(ProjectSettings.shape)
                : STEPS;
    const keys = issue.keys.map((key) => `"${[where, key].filter(Boolean).join('.')}"`).join(', ');
    return `Unknown key ${keys}; the allowed keys are ${allowed.join(', ')}.`;
  }
  return where === ''
    ? `The file must contain one JSON object, such as { "port": 7421 } (${issue.message}).`
    : `"${where}": ${issue.message}.`;
}
