import type { SettingsView } from '../../../contract/resources.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { FinishedAfter } from './finished-after.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { Switch } from './switch.tsx';
import { useChangeSettings } from './use-change-settings.ts';

type Category = 'waits' | 'finished' | 'near_threshold' | 'notices';

const KINDS: readonly { readonly name: Category; readonly label: string; readonly hint: string }[] = [
  { name: 'waits', label: 'Something needs you', hint: 'An agent asks a question, or Baton needs your decision.' },
  {
    name: 'finished',
    label: 'An agent has finished',
    hint: 'Sent when the agent is idle after long work. Work for a handoff does not count.',
  },
  {
    name: 'near_threshold',
    label: 'An agent reaches the handoff threshold',
    hint: 'Sent once per session.',
  },
  { name: 'notices', label: 'Notices', hint: 'Warnings that need no action now.' },
];

/**
 * Sets which kinds of events cause notifications, and the hours in which none are sent. Applies to desktop, ntfy,
 * webhook and browser notifications.
 */
export function NotificationSettings({ settings }: { readonly settings: SettingsView }) {
  const change = useChangeSettings();
  return (
    <Section title="Notify me about">
      <Panel className="divide-y divide-line">
        {KINDS.map(({ name, label, hint }) => (
          <div key={name} className="p-4 md:p-5">
            <Switch
              label={label}
              hint={hint}
              on={settings.notifications[name]}
              busy={change.busy}
              onChange={(on) =>
                void change.run({ notifications: { [name]: on } }, `Notifications ${on ? 'on' : 'off'}: ${label}.`)
              }
            />
            {name === 'finished' && settings.notifications.finished && <FinishedAfter settings={settings} />}
          </div>
        ))}
        <div className="p-4 md:p-5">
          <QuietHours settings={settings} />
        </div>
        <p className="p-4 text-sm text-muted md:p-5">
          You are always notified about failures, even in quiet hours and for muted agents: a handoff that failed or
          stopped, an agent that ended during one, and problems of Baton itself, such as its database.
        </p>
      </Panel>
    </Section>
  );
}
