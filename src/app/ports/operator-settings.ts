import type { QuietHours } from '../../domain/inbox/quiet-hours.ts';
import type { Refusal } from '../../domain/refusals.ts';

/** The settings that the operator can change while Baton runs. */
export interface OperatorSettings {
  readonly handoffAtPercent: number;
  readonly notifications: {
    readonly os: boolean;
    /** The addresses for ntfy and the webhook may be secrets, so they must not be logged or stored in an event. */
    readonly ntfy: string | null;
    readonly webhook: string | null;
    /** The categories of events that cause a notification, in addition to failures, which always cause one. */
    readonly waits: boolean;
    readonly finished: boolean;
    readonly near_threshold: boolean;
    readonly notices: boolean;
  };
  /** How long an agent must have worked before the end of its work causes a "finished" notification. */
  readonly finishedAfterSeconds: number;
  readonly quietHours: QuietHours | null;
  /** Whether lessons of handoff documents go into experience.md without a person's decision. */
  readonly acceptLessons: boolean;
  /**
   * Baton notifies the operator as soon as the agents have used this many tokens on one day. Null turns this
   * notification off.
   */
  readonly tokenBudget: number | null;
  /** The runtime of a new agent if neither the operator nor a list of runtimes names one. */
  readonly defaultRuntime: string;
}

/**
 * A change of settings, with the same names as in config.json. Omitted fields stay unchanged. A null value restores the
 * default.
 */
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
  readonly accept_lessons?: boolean | null | undefined;
  readonly token_budget?: number | null | undefined;
  readonly default_runtime?: string | null | undefined;
}

/** The operator's own settings file. Baton preserves manual edits, and never overwrites a file that it cannot read. */
export interface SettingsStore {
  readonly path: string;
  /** Returns the settings that apply now. */
  current(): OperatorSettings;
  /** Changes settings. Returns the names of the changed settings, or a refusal that says why nothing was written. */
  change(wanted: SettingsChange): Promise<readonly string[] | Refusal>;
}
