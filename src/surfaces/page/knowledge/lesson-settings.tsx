import type { SettingsView } from '../../../contract/resources.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { Switch } from '../settings/switch.tsx';
import { useChangeSettings } from '../settings/use-change-settings.ts';

/** Lets the operator choose whether lessons are added to experience.md without a decision of the operator. */
export function LessonSettings({ settings }: { readonly settings: SettingsView }) {
  const change = useChangeSettings();
  const on = settings.accept_lessons ?? false;
  return (
    <Section title="Lessons">
      <Panel className="p-4 md:p-5">
        <Switch
          label="Accept lessons without asking"
          hint="Lessons of handoff documents go into experience.md of their persona at once. Off: you decide on the page of the persona."
          on={on}
          busy={change.busy}
          onChange={(wanted) =>
            void change.run(
              { accept_lessons: wanted },
              wanted ? 'Baton accepts lessons without asking.' : 'You decide about each lesson.',
            )
          }
        />
      </Panel>
    </Section>
  );
}
