import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DEADLINES } from '../../domain/handoff/deadlines.ts';
import { HANDOFF_AT_PERCENT } from '../../domain/handoff/offer.ts';
import { STEPS } from '../../domain/handoff/run.ts';
import { HomeFault } from './home-fault.ts';

const seconds = z.number().min(1).max(86_400);

/** Where something is posted to. What zod would say could show the address, which may be a secret. */
const webAddress = z.string().refine(isWebAddress, 'must be an http or https address without user, password or #');

const Notifications = z.strictObject({
  os: z.boolean().default(true),
  ntfy: webAddress.refine(hasTopic, 'must end with a topic, such as https://ntfy.sh/my-topic').optional(),
  webhook: webAddress.optional(),
});

const ConfigFile = z.strictObject({
  /** 0 = any free port. */
  port: z.int().min(0).max(65_535).default(7421),
  deadlines_seconds: z.strictObject(Object.fromEntries(STEPS.map((step) => [step, seconds.optional()]))).default({}),
  reconcile_every_ms: z.int().min(50).max(60_000).default(2_000),
  message_receipt_seconds: seconds.default(8),
  /** From where on a handoff is offered. */
  handoff_at_percent: z.int().min(10).max(100).default(HANDOFF_AT_PERCENT),
  notifications: Notifications.default({ os: true }),
});

export interface Config {
  readonly port: number;
  readonly deadlines: typeof DEADLINES;
  readonly reconcileEveryMs: number;
  readonly receiptMs: number;
  readonly handoffAtPercent: number;
  readonly notifications: { readonly os: boolean; readonly ntfy?: string; readonly webhook?: string };
}

/** The one file the operator may write. A wrong key or value stops the start and is named, with what is allowed. */
export const readConfig = (path: string): Config => parseConfig(path, readJson(path));

/** What would be understood if this stood in the file. Throws HomeFault. */
export function parseConfig(path: string, json: unknown): Config {
  const parsed = ConfigFile.safeParse(json);
  if (!parsed.success) throw new HomeFault(`${path}: ${parsed.error.issues.map(explain).join(' ')}`);
  const { port, deadlines_seconds: wanted, reconcile_every_ms: reconcileEveryMs, notifications } = parsed.data;
  const { handoff_at_percent: handoffAtPercent } = parsed.data;
  const receiptMs = parsed.data.message_receipt_seconds * 1000;
  const deadlines = { ...DEADLINES };
  for (const step of STEPS) deadlines[step] = (wanted[step] ?? DEADLINES[step] / 1000) * 1000;
  const { os, ntfy, webhook } = notifications;
  return {
    port,
    deadlines,
    reconcileEveryMs,
    receiptMs,
    handoffAtPercent,
    notifications: { os, ...(ntfy === undefined ? {} : { ntfy }), ...(webhook === undefined ? {} : { webhook }) },
  };
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

function hasTopic(text: string): boolean {
  return !URL.canParse(text) || !new URL(text).pathname.endsWith('/');
}

/** An empty object where there is no file. Throws HomeFault. */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new HomeFault(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HomeFault(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}

function explain(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const allowed =
      where === ''
        ? Object.keys(ConfigFile.shape)
        : where === 'notifications'
          ? Object.keys(Notifications.shape)
          : STEPS;
    const keys = issue.keys.map((key) => `"${[where, key].filter(Boolean).join('.')}"`).join(', ');
    return `Unknown key ${keys}; allowed are ${allowed.join(', ')}.`;
  }
  return `"${where}": ${issue.message}.`;
}
