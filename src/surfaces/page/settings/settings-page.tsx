import { useQuery } from '@tanstack/react-query';
import type { SettingsView } from '../../../contract/resources.ts';
import { settingsQuery } from '../api/queries.ts';
import { ProjectPolicies } from '../handoffs/policy/project-policies.tsx';
import { LessonSettings } from '../knowledge/lesson-settings.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Path } from '../parts/words/path.tsx';
import { DefaultPersonas } from '../personas/default-personas.tsx';
import { BrowserSettings } from './browser-settings.tsx';
import { Devices } from './devices.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { ServerNotifications } from './server-notifications.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { ThresholdSettings } from './threshold-settings.tsx';
import { UnsavedParts } from './unsaved-parts.tsx';

export function SettingsPage() {
  const { data: settings, error } = useQuery(settingsQuery);
  return (
    <>
      <PageTitle
        title="Settings"
        note="Changes in a form with a Save button apply after you save them. All other changes apply at once."
      />
      <Trouble error={error} />
      {settings === undefined && error === null && <Loading />}
      <UnsavedParts>
        <div className="grid items-start gap-x-8 xl:grid-cols-2">
          {settings !== undefined && (
            <div className="min-w-0">
              <ThresholdSettings settings={settings} />
              <ProjectPolicies />
              <LessonSettings settings={settings} />
              <DefaultPersonas />
              <ServerNotifications settings={settings} />
              <NotificationSettings settings={settings} />
            </div>
          )}
          <div className="min-w-0">
            <BrowserSettings />
            {settings !== undefined && (
              <Section title="Handoff prompts">
                {settings.templates.map((template) => (
                  <TemplateEditor key={template.name} template={template} />
                ))}
              </Section>
            )}
            <Devices />
            {settings !== undefined && <Places settings={settings} />}
          </div>
        </div>
      </UnsavedParts>
    </>
  );
}

const Places = ({ settings: { home, config_path, version, allowed_hosts } }: { readonly settings: SettingsView }) => (
  <Section title="About">
    <Panel>
      <dl className="divide-y divide-line">
        <Place title="Version" value={version} />
        <Place title="Home" value={home} />
        <Place title="Configuration" value={config_path} />
        {allowed_hosts.map((host) => (
          <Place key={host} title="Remote address" value={`https://${host}`} />
        ))}
      </dl>
    </Panel>
  </Section>
);

const Place = ({ title, value }: { readonly title: string; readonly value: string }) => (
  <div className="flex flex-wrap items-center gap-x-4 px-4 py-2 md:px-5">
    <dt className="w-28 text-sm text-muted">{title}</dt>
    <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
      <code className="font-mono text-sm wrap-anywhere">
        <Path text={value} />
      </code>
      <CopyButton text={value} what={title.toLowerCase()} />
    </dd>
  </div>
);
