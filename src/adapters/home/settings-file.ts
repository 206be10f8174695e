import { realpathSync } from 'node:fs';
import type { OperatorSettings, SettingsChange, SettingsStore } from '../../app/ports/operator-settings.ts';
import { SWITCHED_TELLINGS } from '../../domain/inbox/notification-policy.ts';
import type { Refusal, RefusalCode } from '../../domain/refusals.ts';
import { HomeFault } from './home-fault.ts';
import { type Config, parseConfig, readJson } from './read-config.ts';

export interface SettingsFileOptions {
  readonly path: string;
  /** The config that was read when the server started. */
  readonly config: Config;
  /** Writes a file atomically. */
  readonly write: (path: string, content: string) => Promise<void>;
}

/**
 * Changes config.json while Baton runs. Changes run one at a time, and each change is based on the result of the
 * previous one.
 */
export function openSettingsFile({ path, config, write }: SettingsFileOptions): SettingsStore {
  let current = settingsIn(config);
  let queue: Promise<unknown> = Promise.resolve();

  const changeNow = async (wanted: SettingsChange): Promise<readonly string[] | Refusal> => {
    const found = attempt('settings_file_unusable', () => {
      const json = readJson(path);
      parseConfig(path, json);
      return { json: json as Json };
    });
    if ('code' in found) return found;
    const json = withChange(found.json, wanted);
    const changed = attempt('bad_settings', () => parseConfig(path, json));
    if ('code' in changed) return changed;
    try {
      if (JSON.stringify(json) !== JSON.stringify(found.json))
        await write(behindLinks(path), `${JSON.stringify(json, null, 2)}\n`);
    } catch (error) {
      return {
        code: 'settings_file_unusable',
        sentence: `${path} cannot be written, so no setting was changed: ${(error as Error).message}`,
      };
    }
    const before = current;
    current = settingsIn(changed);
    return differences(before, current);
  };

  return {
    path,
    current: () => current,
    change: (wanted) => {
      const done = queue.then(() => changeNow(wanted));
      queue = done.catch(() => undefined);
      return done;
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Applies a change of the settings to the content of config.json. Existing keys stay in their place, and new keys are
 * added at the end.
 */
function withChange(file: Json, { notifications, ...plain }: SettingsChange): Json {
  const changed = merged(file, { ...plain });
  if (notifications === undefined) return changed;
  const told = merged((file.notifications ?? {}) as Json, notifications);
  return merged(changed, { notifications: told });
}

function merged(before: Json, wanted: Json): Json {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== null),
  );
}

const settingsIn = ({ notifications, ...config }: Config): OperatorSettings => ({
  handoffAtPercent: config.handoffAtPercent,
  notifications: { ...notifications, ntfy: notifications.ntfy ?? null, webhook: notifications.webhook ?? null },
  finishedAfterSeconds: config.finishedAfterSeconds,
  quietHours: config.quietHours,
  acceptLessons: config.acceptLessons,
  tokenBudget: config.tokenBudget,
  defaultRuntime: config.defaultRuntime,
});

function differences(before: OperatorSettings, after: OperatorSettings): readonly string[] {
  const told = (['os', 'ntfy', 'webhook', ...SWITCHED_TELLINGS] as const).filter(
    (key) => before.notifications[key] !== after.notifications[key],
  );
  return [
    ...(before.handoffAtPercent === after.handoffAtPercent ? [] : ['handoff_at_percent']),
    ...told.map((key) => `notifications.${key}`),
    ...(before.finishedAfterSeconds === after.finishedAfterSeconds ? [] : ['notify_finished_after_seconds']),
    ...(JSON.stringify(before.quietHours) === JSON.stringify(after.quietHours) ? [] : ['quiet_hours']),
    ...(before.acceptLessons === after.acceptLessons ? [] : ['accept_lessons']),
    ...(before.tokenBudget === after.tokenBudget ? [] : ['token_budget']),
    ...(before.defaultRuntime === after.defaultRuntime ? [] : ['default_runtime']),
  ];
}

function attempt<T>(code: RefusalCode, work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HomeFault)) throw error;
    return { code, sentence: error.message };
  }
}

/** Resolves symbolic links, so that a config.json that is a link stays a link when it is written. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
