import { type FormEvent, useState } from 'react';
import type { SettingsView } from '../../../contract/resources.ts';
import { Button } from '../parts/button.tsx';
import { UnsavedMark } from '../parts/dialogs/unsaved-mark.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Panel, Section } from '../parts/panel.tsx';
import { Switch } from './switch.tsx';
import { TestNotification } from './test-notification.tsx';
import { useUnsavedPart } from './unsaved-parts.tsx';
import { useChangeSettings } from './use-change-settings.ts';

interface Addresses {
  readonly ntfy: string;
  readonly webhook: string;
}

/** Converts the text of a field to a setting. An empty field removes the setting. */
const asSetting = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The notifications that Baton itself sends, whether a page is open or not. */
export function ServerNotifications({ settings: { notifications } }: { readonly settings: SettingsView }) {
  const kept: Addresses = { ntfy: notifications.ntfy ?? '', webhook: notifications.webhook ?? '' };
  const [mine, setMine] = useState<Partial<Addresses>>({});
  const shown = { ...kept, ...mine };
  const changed = (['ntfy', 'webhook'] as const).filter((name) => asSetting(shown[name]) !== asSetting(kept[name]));
  const unsaved = changed.length > 0;
  useUnsavedPart('notification channels', unsaved);
  const change = useChangeSettings();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = Object.fromEntries(changed.map((name) => [name, asSetting(shown[name])]));
    if (await change.run({ notifications: wanted }, 'Notification channels saved.')) setMine({});
  };
  return (
    <Section title="Notification channels" aside={unsaved && <UnsavedMark />}>
      <Panel className="p-4 md:p-5">
        <Switch
          label="Desktop notifications"
          hint="Shown on the machine that runs Baton."
          on={notifications.os}
          busy={change.busy}
          onChange={(os) => void change.run({ notifications: { os } }, `Desktop notifications ${os ? 'on' : 'off'}.`)}
        />
        <form onSubmit={(event) => void submit(event)} className="mt-5 border-t border-line pt-5">
          <Address
            label="ntfy"
            hint="Topic URL. Anyone who knows it can read your notifications, so choose one that is hard to guess."
            placeholder="https://ntfy.sh/your-topic"
            value={shown.ntfy}
            onChange={(ntfy) => setMine({ ...mine, ntfy })}
          />
          <Address
            label="Webhook"
            hint="Baton posts each notification to this URL as JSON, with the ids and the address of the item."
            placeholder="https://example.org/hook"
            value={shown.webhook}
            onChange={(webhook) => setMine({ ...mine, webhook })}
          />
          <p className="mb-4 text-sm text-muted">Leave a field empty to disable that channel.</p>
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              kind="primary"
              small
              busy={change.busy}
              disabled={!unsaved}
              aria-label="Save notification channels"
            >
              Save
            </Button>
            <Button
              small
              kind="quiet"
              disabled={!unsaved || change.busy}
              aria-label="Discard changes to notification channels"
              onClick={() => setMine({})}
            >
              Discard changes
            </Button>
          </div>
        </form>
        <TestNotification unsaved={unsaved} />
      </Panel>
    </Section>
  );
}

function Address({
  label,
  hint,
  placeholder,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <TextInput
          {...ids}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          className="font-mono text-sm"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
