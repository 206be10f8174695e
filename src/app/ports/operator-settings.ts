import type { QuietHours } from '../../domain/inbox/quiet-hours.ts';
import type { Refusal } from '../../domain/refusals.ts';

/** The settings that the operator can change while Baton runs. */
export interface OperatorSettings {
  readonly handoffAtPercent: number;
  readonly notifications: {
    readonly os: boolean;
    /** The addresses may be secrets: never logged, never in an event. */
    readonly ntfy: string | null;
    readonly webhook: string | null;
    /** The categories that are notified; failures always are. */
    readonly waits: boolean;
    readonly finished: boolean;
    readonly near_threshold: boolean;
    readonly notices: boolean;
  };
  /** How long an agent must have worked before "finished" is notified. */
  readonly finishedAfterSeconds: number;
  readonly quietHours: QuietHours | null;
}

/** Omitted fields stay; null restores the default. Named as in config.json. */
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

/** The operator's own file. Manual edits in it stay, and a file that Baton cannot read is never overwritten. */
export interface SettingsStore {
  readonly path: string;
  /** The settings in force now. */
  current(): OperatorSettings;
  /** Returns the names of the changed settings, or a refusal that says why nothing was written. */
  change(wanted: SettingsChange): Promise<readonly string[] | Refusal>;
}
