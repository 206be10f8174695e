import { useNavigate } from '@tanstack/react-router';
import type { Agent, Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx';
import { useAction } from '../parts/use-action.ts';
import { GivePersonaDialog } from './dialogs/give-persona-dialog.tsx';
import { HandoffDialog } from './dialogs/handoff-dialog.tsx';
import { isLive } from './hand-off.ts';
import { MuteItems } from './mute-items.tsx';
import { useResume, useSucceed } from './resume-button.tsx';

/** The actions on an agent that have no button on its card. */
export function AgentMenu({ agent }: { readonly agent: Agent }) {
  const open = useDialogHost();
  const handOver = (reason: Run['reason']): void =>
    open((close) => <HandoffDialog agent={agent} reason={reason} onClose={close} />);
  const confirm = useConfirm();
  const navigate = useNavigate();
  const stop = useAction(async (force: boolean) => {
    await post<Agent>(PATHS.stopAgent(agent.id), { force });
    return force ? `${agent.label} was killed.` : `${agent.label} is stopping.`;
  });
  const askAndStop = async (force: boolean): Promise<void> => {
    const question = force
      ? 'Kills the process now. Unsaved work is lost. No successor is started.'
      : 'Baton types the exit command into its terminal. No handoff document is written and no successor is started.';
    const title = force ? `Kill ${agent.label}?` : `Stop ${agent.label}?`;
    const yes = force ? 'Kill agent' : 'Stop agent';
    if (await confirm({ title, question, yes, no: 'Keep running' })) await stop.run(force);
  };
  const succeed = useSucceed(agent.id);
  const resume = useResume(agent.id);
  const release = useAction(async () => {
    await post<Agent>(PATHS.releaseAgent(agent.id), {});
    return `${agent.label} was released.`;
  });
  const askAndRelease = async (): Promise<void> => {
    const question = 'The session keeps running in your tmux. Baton no longer reads its screen or types into it.';
    if (await confirm({ title: `Release ${agent.label}?`, question, yes: 'Release agent' })) await release.run();
  };
  const canHandOff = isLive(agent) && agent.persona !== null && agent.run_id === null;
  return (
    <Menu label={`More actions for ${agent.label}, agent ${agent.id}`}>
      <MenuItem onSelect={() => void navigate({ to: '/agents/$id', params: { id: agent.id } })}>
        Terminal and details
      </MenuItem>
      {isLive(agent) && agent.run_id === null && (
        <MenuItem onSelect={() => open((close) => <GivePersonaDialog agent={agent} onClose={close} />)}>
          {agent.persona === null ? 'Assign persona…' : 'Change persona…'}
        </MenuItem>
      )}
      {agent.adopted && isLive(agent) && agent.run_id === null && (
        <MenuItem onSelect={() => void askAndRelease()}>Release…</MenuItem>
      )}
      {canHandOff && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => handOver('context_limit')}>Hand over…</MenuItem>
          <MenuItem onSelect={() => handOver('shift_end')}>Hand over: end of shift…</MenuItem>
          <MenuItem onSelect={() => handOver('task_boundary')}>Hand over: task finished…</MenuItem>
        </>
      )}
      {!isLive(agent) && agent.registered_at !== null && agent.resumed_as === null && (
        <MenuItem onSelect={() => void resume.run()}>Resume conversation</MenuItem>
      )}
      {!isLive(agent) && agent.persona !== null && (
        <MenuItem onSelect={() => void succeed.run()}>Start successor</MenuItem>
      )}
      {isLive(agent) && (
        <>
          <MenuLine />
          <MuteItems agent={agent} />
          <MenuLine />
          <MenuItem onSelect={() => void askAndStop(false)}>Stop…</MenuItem>
          <MenuItem danger onSelect={() => void askAndStop(true)}>
            Kill…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
