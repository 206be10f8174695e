import { useQueryClient } from '@tanstack/react-query';
import type { SettingsView } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { settingsQuery } from '../api/queries.ts';
import { type Action, useAction } from '../parts/use-action.ts';

export interface SettingsChange {
  /** The context use in percent at which a handoff is suggested; null restores the default. */
  readonly handoff_at_percent?: number | null;
  readonly notifications?: {
    readonly os?: boolean;
    readonly ntfy?: string | null;
    readonly webhook?: string | null;
    readonly waits?: boolean;
    readonly finished?: boolean;
    readonly near_threshold?: boolean;
    readonly notices?: boolean;
  };
  readonly notify_finished_after_seconds?: number | null;
  readonly accept_lessons?: boolean;
  readonly token_budget?: number | null;
  readonly quiet_hours?: { readonly from: string; readonly to: string } | null;
}

/** Saves changed settings. The page then shows the settings from the server's answer without another request. */
export function useChangeSettings(): Action<[change: SettingsChange, said: string]> {
  const client = useQueryClient();
  return useAction(async (change: SettingsChange, said: string) => {
    client.setQueryData(settingsQuery.queryKey, await post<SettingsView>(PATHS.settings, change));
    return said;
  });
}
