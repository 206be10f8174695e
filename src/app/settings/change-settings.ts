import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { unknownRuntime } from '../agents/unavailable-reason.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { OperatorSettings, SettingsChange } from '../ports/operator-settings.ts';

/** Changes settings at once. The log contains only the names of the settings, because a value may be a secret. */
export async function changeSettings(
  ports: Pick<Ports, 'store' | 'operatorSettings' | 'runtimes' | 'secrets' | 'clock'>,
  wanted: SettingsChange,
): Promise<OperatorSettings | Refusal> {
  const { default_runtime: runtime } = wanted;
  if (typeof runtime === 'string' && !ports.runtimes.has(runtime)) return unknownRuntime(ports, runtime);
  const changed = await ports.operatorSettings.change(wanted);
  if (isRefusal(changed)) return changed;
  await noteSettingsChanged(ports, changed);
  return ports.operatorSettings.current();
}

export async function noteSettingsChanged(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await ports.store.write((tx) =>
    appendNotice(tx, ports, { type: 'settings_changed', keys }, { agentId: null, runId: null }),
  );
}
