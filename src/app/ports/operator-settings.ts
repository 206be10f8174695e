import type { QuietHours } from '../../domain/inbox/quiet-hours.ts';
import type { Refusal } from '../../domain/refusals.ts';

/** The settings that the operator can change while Baton runs. */
export interface OperatorSettings {
  readonly handoffAtPercent: number;
  readonly notifications: {
    readonly os: boolean;
    /** The addresses for ntfy and webhook may be secrets, so they must not be logged or stored in an event. */
    readonly ntfy: string | null;
    readonly webhook: string | null;
    /** The categories of events that cause a notification. Failures always cause one. */
    readonly waits: boolean;
    readonly finished: boolean;
    readonly near_threshold: boolean;
    readonly notices: boolean;
  };
  /** How long an agent must have worked before its end causes a "finished" notification. */
  readonly finishedAfterSeconds: number;
  readonly quietHours: QuietHours | null;
}

/** A change of settings, named as in config.json. Omitted fields stay unchanged, null restores the default. */
export interface SettingsChange {
  readonly handoff_at_percent?: number | null | undefined;
  readonly notifications?:
    | {
        readonly os?: boolean | undefined;
        readonly ntfy?: string | null | undefined;
        readonly webhook?: string | null | undefined;
        readonly waits?: boolean | undefined;
        readonly finished?: boolean | undefined;
        readonly near_threshold?: boolean | undefined;
        readonly notices?: boolean | undefined;
      }
    | undefined;
  readonly notify_finished_after_seconds?: number | null | undefined;
  readonly quiet_hours?: QuietHours | null | undefined;
}

/** The operator's own settings file. Manual edits stay, and Baton never overwrites a file that it cannot read. */
export interface SettingsStore {
  readonly path: string;
  /** Returns the settings that are valid now. */
  current(): OperatorSettings;
  /** Returns the names of the changed settings, or a refusal that says why nothing was written. */
  change(wanted: SettingsChange): Promise<readonly string[] | Refusal>;
}
