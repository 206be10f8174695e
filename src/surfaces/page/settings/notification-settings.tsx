import type { SettingsView } from '../../../contract/resources.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { FinishedAfter } from './finished-after.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { Switch } from './switch.tsx';
import { useChangeSettings } from './use-change-settings.ts';

type Told = 'waits' | 'finished' | 'near_threshold' | 'notices';

const KINDS: readonly { readonly name: Told; readonly label: string; readonly hint: string }[] = [
  { name: 'waits', label: 'Something waits for you', hint: 'An agent asks, or Baton needs your decision.' },
  {
    name: 'finished',
    label: 'An agent has finished',
    hint: 'It rests after long work. Prompts of a handoff do not count.',
  },
  {
    name: 'near_threshold',
    label: 'An agent nears its threshold',
    hint: 'It is time for a handoff. Once per session.',
  },
  { name: 'notices', label: 'Good to know', hint: 'Warnings that need nothing of you now.' },
];

/** Which notifications are sent, and when not; applies to the system, ntfy, the webhook and the browsers alike. */
export function NotificationSettings({ settings }: { readonly settings: SettingsView }) {
  const change = useChangeSettings();
  return (
    <Section title="Tell me">
      <Panel className="divide-y divide-line">
        {KINDS.map(({ name, label, hint }) => (
          <div key={name} className="p-4 md:p-5">
            <Switch
              label={label}
              hint={hint}
              on={settings.notifications[name]}
              busy={change.busy}
              onChange={(on) =>
                void change.run(
                  { notifications: { [name]: on } },
                  on ? `You are told: ${label}.` : `Not told: ${label}.`,
                )
              }
            />
            {name === 'finished' && settings.notifications.finished && <FinishedAfter settings={settings} />}
          </div>
        ))}
        <div className="p-4 md:p-5">
          <QuietHours settings={settings} />
        </div>
        <p className="p-4 text-sm text-muted md:p-5">
          Failures are always told, in quiet hours and of muted agents too: a handoff that failed or stopped, an agent
          that died in one, and trouble of Baton itself, such as its database.
        </p>
      </Panel>
    </Section>
  );
}
