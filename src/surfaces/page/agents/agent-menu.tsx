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

/** Everything else that can be done with an agent, at any time. */
export function AgentMenu({ agent }: { readonly agent: Agent }) {
  const open = useDialogHost();
  const handOver = (reason: Run['reason']): void =>
    open((close) => <HandoffDialog agent={agent} reason={reason} onClose={close} />);
  const confirm = useConfirm();
  const navigate = useNavigate();
  const stop = useAction(async (force: boolean) => {
    await post<Agent>(PATHS.stopAgent(agent.id), { force });
    return force ? `${agent.label} was ended.` : `${agent.label} is asked to leave.`;
  });
  const askAndStop = async (force: boolean): Promise<void> => {
    const question = force
      ? 'Its process is ended at once; what it has not written down is lost. No successor is started.'
      : 'It is asked to exit as if you had typed it. No document is written and no successor is started.';
    const title = force ? `End ${agent.label} by force?` : `Stop ${agent.label}?`;
    if (await confirm({ title, question, yes: force ? 'End it' : 'Stop it' })) await stop.run(force);
  };
  const succeed = useSucceed(agent.id);
  const resume = useResume(agent.id);
  const release = useAction(async () => {
    await post<Agent>(PATHS.releaseAgent(agent.id), {});
    return `${agent.label} is yours alone again.`;
  });
  const askAndRelease = async (): Promise<void> => {
    const question = 'The session goes on in your own tmux. Baton neither sees it nor types into it any more.';
    if (await confirm({ title: `Take ${agent.label} back?`, question, yes: 'Take it back' })) await release.run();
  };
  const canHandOff = isLive(agent) && agent.persona !== null && agent.run_id === null;
  return (
    <Menu label={`More for ${agent.label}, agent ${agent.id}`}>
      <MenuItem onSelect={() => void navigate({ to: '/agents/$id', params: { id: agent.id } })}>
        Terminal and details
      </MenuItem>
      {isLive(agent) && agent.run_id === null && (
        <MenuItem onSelect={() => open((close) => <GivePersonaDialog agent={agent} onClose={close} />)}>
          {agent.persona === null ? 'Give it a persona…' : 'Change its persona…'}
        </MenuItem>
      )}
      {agent.adopted && isLive(agent) && agent.run_id === null && (
        <MenuItem onSelect={() => void askAndRelease()}>Take it back…</MenuItem>
      )}
      {canHandOff && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => handOver('context_limit')}>Hand over with a note…</MenuItem>
          <MenuItem onSelect={() => handOver('shift_end')}>Hand over: end of shift…</MenuItem>
          <MenuItem onSelect={() => handOver('task_boundary')}>Hand over: next task…</MenuItem>
        </>
      )}
      {!isLive(agent) && agent.registered_at !== null && agent.resumed_as === null && (
        <MenuItem onSelect={() => void resume.run()}>Resume its conversation</MenuItem>
      )}
      {!isLive(agent) && agent.persona !== null && (
        <MenuItem onSelect={() => void succeed.run()}>Start a successor from what Baton knows</MenuItem>
      )}
      {isLive(agent) && (
        <>
          <MenuLine />
          <MuteItems agent={agent} />
          <MenuLine />
          <MenuItem onSelect={() => void askAndStop(false)}>Stop…</MenuItem>
          <MenuItem danger onSelect={() => void askAndStop(true)}>
            End by force…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
