import type { Agent } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { usePost } from '../../api/machine-clients.ts';
import { Button } from '../../parts/button.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { At, Countdown } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';

/** The state of an agent's automatic handoff, with the buttons that cancel and snooze it. */
export function AutoNote({ agent }: { readonly agent: Agent }) {
  const { auto_handoff: auto } = agent;
  if (auto === undefined || agent.run_id !== null) return null;
  const { countdown, held, requested, snoozed_until: snoozed, cancelled } = auto;
  if (countdown) return <CountdownNote agent={agent} dueAt={countdown.due_at} />;
  if (held) return <p className="text-sm wrap-anywhere text-amber">No automatic handoff: {held.sentence}.</p>;
  if (requested)
    return <p className="text-sm wrap-anywhere text-amber">Asks for a handoff: {visible(requested.reason)}</p>;
  if (agent.handoff_policy?.mode !== 'auto') return null;
  if (cancelled) return <p className="text-sm text-muted">Automatic handoff canceled until the context use falls.</p>;
  return snoozed !== null && Date.parse(snoozed) > Date.now() ? (
    <p className="text-sm text-muted">
      Automatic handoff snoozed until <At at={snoozed} />.
    </p>
  ) : null;
}

const SNOOZE_MINUTES = 30;

function CountdownNote({ agent: { id, label }, dueAt }: { readonly agent: Agent; readonly dueAt: string }) {
  const post = usePost();
  const change = useAction(async (action: 'cancel' | 'snooze') => {
    await post<Agent>(PATHS.countdown(id), { action, minutes: SNOOZE_MINUTES });
    return action === 'cancel'
      ? `Baton does not hand off ${label} by itself until its context use falls.`
      : `The automatic handoff of ${label} is postponed by ${SNOOZE_MINUTES} minutes.`;
  });
  return (
    <section
      aria-label={visible(`Automatic handoff of ${label}, agent ${id}`)}
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-amber/60 px-3 py-2 text-sm"
    >
      <p>
        Automatic handoff in <Countdown to={dueAt} />
      </p>
      <span className="flex gap-2">
        <Button
          small
          busy={change.busy}
          aria-label={visible(`Cancel automatic handoff of ${label}, agent ${id}`)}
          onClick={() => void change.run('cancel')}
        >
          Cancel
        </Button>
        <Button
          small
          busy={change.busy}
          aria-label={visible(`Snooze automatic handoff of ${label}, agent ${id}, for ${SNOOZE_MINUTES} minutes`)}
          onClick={() => void change.run('snooze')}
        >
          Snooze {SNOOZE_MINUTES} min
        </Button>
      </span>
    </section>
  );
}
