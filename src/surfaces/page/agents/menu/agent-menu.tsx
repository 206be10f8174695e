import { useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import type { Agent, Run } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { useMachine, usePost } from '../../api/machine-clients.ts';
import { PolicyDialog } from '../../handoffs/policy/policy-dialog.tsx';
import { useConfirm } from '../../parts/dialogs/confirm.tsx';
import { useDialogHost } from '../../parts/dialogs/dialog-host.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx';
import { searchOf } from '../../parts/to.tsx';
import { useAction } from '../../parts/use-action.ts';
import { isLive } from '../hand-off.ts';
import { MuteItems } from './mute-items.tsx';
import { useResume, useSucceed } from './use-resume.ts';

/** Each dialog is loaded when the operator chooses its action in the menu. */
const GivePersonaDialog = lazy(async () => ({
  default: (await import('../dialogs/give-persona-dialog.tsx')).GivePersonaDialog,
}));
const HandoffDialog = lazy(async () => ({ default: (await import('../dialogs/handoff-dialog.tsx')).HandoffDialog }));

/** The menu of an agent, already open: the actions that have no button on the agent's card. */
export function AgentMenu({ agent, label }: { readonly agent: Agent; readonly label: string }) {
  const post = usePost();
  const open = useDialogHost();
  const handOver = (reason: Run['reason']): void =>
    open((close) => <HandoffDialog agent={agent} reason={reason} onClose={close} />);
  const confirm = useConfirm();
  const navigate = useNavigate();
  const machine = useMachine();
  const stop = useAction(async (force: boolean) => {
    await post<Agent>(PATHS.stopAgent(agent.id), { force });
    return force ? `${agent.label} was killed.` : `${agent.label} is stopping.`;
  });
  const askAndStop = async (force: boolean): Promise<void> => {
    const question = force
      ? "Baton kills the agent's process now. Unsaved work is lost. No successor is started."
      : "Baton types the exit command into the agent's terminal. No handoff document is written and no successor is started.";
    const title = force ? `Kill ${agent.label}, agent ${agent.id}?` : `Stop ${agent.label}, agent ${agent.id}?`;
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
    if (await confirm({ title: `Release ${agent.label}, agent ${agent.id}?`, question, yes: 'Release agent' }))
      await release.run();
  };
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(agent.attach_command).catch(() => {
      throw new Error('The browser blocked copying. The attach command is on the page of the agent.');
    });
    return `The attach command of ${agent.label} was copied.`;
  });
  const interrupt = useAction(async () => {
    await post<Agent>(PATHS.interruptAgent(agent.id), {});
    return `${agent.label} was interrupted.`;
  });
  // Leave out settings, personas and the event log for an agent of another machine, because they can be used only on
  // that machine.
  const isHere = machine === null;
  const canHandOff = isLive(agent) && agent.persona !== null && agent.run_id === null;
  return (
    <Menu isOpen label={label}>
      <MenuItem
        onSelect={() => void navigate({ to: '/agents/$id', params: { id: agent.id }, search: searchOf(machine) })}
      >
        Terminal and details
      </MenuItem>
      {isHere && (
        <MenuItem onSelect={() => void navigate({ to: '/activity', search: { agent: agent.id } })}>Activity</MenuItem>
      )}
      {isHere && isLive(agent) && <MenuItem onSelect={() => void copy.run()}>Copy attach command</MenuItem>}
      {isHere && isLive(agent) && agent.run_id === null && (
        <MenuItem onSelect={() => open((close) => <GivePersonaDialog agent={agent} onClose={close} />)}>
          {agent.persona === null ? 'Assign persona…' : 'Change persona…'}
        </MenuItem>
      )}
      {isHere && agent.adopted && isLive(agent) && agent.run_id === null && (
        <MenuItem onSelect={() => void askAndRelease()}>Release…</MenuItem>
      )}
      {canHandOff && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => handOver(agent.context?.tier === 'handoff' ? 'context_limit' : 'task_boundary')}>
            Hand over…
          </MenuItem>
          <MenuItem onSelect={() => handOver('shift_end')}>Hand over: end of shift…</MenuItem>
          <MenuItem onSelect={() => handOver('task_boundary')}>Hand over: task finished…</MenuItem>
          {isHere && (
            <MenuItem onSelect={() => open((close) => <PolicyDialog agent={agent} onClose={close} />)}>
              Handoff policy…
            </MenuItem>
          )}
        </>
      )}
      {!isLive(agent) && agent.registered_at !== null && agent.resumed_as === null && (
        <MenuItem onSelect={() => void resume.run()}>Resume conversation</MenuItem>
      )}
      {(!isLive(agent) || agent.state === 'limited') && agent.persona !== null && (
        <MenuItem onSelect={() => void succeed.run()}>
          {isLive(agent) ? 'Continue elsewhere now' : 'Start successor'}
        </MenuItem>
      )}
      {isLive(agent) && (
        <>
          <MenuLine />
          <MuteItems agent={agent} />
          <MenuLine />
          {agent.state === 'working' && agent.run_id === null && (
            <MenuItem onSelect={() => void interrupt.run()}>Interrupt (Esc)</MenuItem>
          )}
          <MenuItem onSelect={() => void askAndStop(false)}>Stop…</MenuItem>
          <MenuItem danger onSelect={() => void askAndStop(true)}>
            Kill…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
