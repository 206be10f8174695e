import type { Agent } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { usePost } from '../../api/machine-clients.ts';
import { MenuItem } from '../../parts/menu.tsx';
import { useAction } from '../../parts/use-action.ts';

const HOUR_MS = 3_600_000;

export function MuteItems({ agent: { id, label, muted } }: { readonly agent: Agent }) {
  const post = usePost();
  const mute = useAction(async (forMs: number | null) => {
    const until = forMs === null ? null : new Date(Date.now() + forMs).toISOString();
    await post<Agent>(PATHS.muteAgent(id), { until });
    return `${label} is muted. You are notified only about failures.`;
  });
  const unmute = useAction(async () => {
    await post<Agent>(PATHS.unmuteAgent(id), {});
    return `${label} is no longer muted.`;
  });
  if (muted) return <MenuItem onSelect={() => void unmute.run()}>Unmute</MenuItem>;
  return (
    <>
      <MenuItem onSelect={() => void mute.run(HOUR_MS)}>Mute for an hour</MenuItem>
      <MenuItem onSelect={() => void mute.run(null)}>Mute</MenuItem>
    </>
  );
}
