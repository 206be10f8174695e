import type { QuietHours } from '../../domain/inbox/quiet-hours.ts';
import type { Refusal } from '../../domain/refusals.ts';

/** What the operator can change while Baton runs. */
export interface OperatorSettings {
  readonly handoffAtPercent: number;
  readonly notifications: {
    readonly os: boolean;
    /** The addresses may be secrets: never logged, never in an event. */
    readonly ntfy: string | null;
    readonly webhook: string | null;
    /** What is told; failures always are. */
    readonly waits: boolean;
    readonly finished: boolean;
    readonly near_threshold: boolean;
    readonly notices: boolean;
  };
  /** For how long an agent must have worked before its rest is told. */
  readonly finishedAfterSeconds: number;
  readonly quietHours: QuietHours | null;
}

/** What is absent stays; null is the default. Named as in config.json. */
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

/** The operator's own file. What he wrote into it by hand stays, and is never overwritten where Baton cannot read it. */
export interface SettingsKeeper {
  readonly path: string;
  /** What is in force now. */
  current(): OperatorSettings;
  /** The names of the settings that are another now; a refusal says why nothing was written. */
  change(wanted: SettingsChange): Promise<readonly string[] | Refusal>;
}
