import { useId, useState } from 'react';
import { Panel, Section } from '../parts/panel.tsx';
import {
  canNotify,
  turnNotificationsOff,
  turnNotificationsOn,
  wantsNotifications,
} from '../shell/news/browser-notifications.ts';
import { chooseTheme, readTheme, type Theme } from '../shell/theme.ts';
import { Switch } from './switch.tsx';

/** Settings that are stored only in this browser. */
export const BrowserSettings = () => (
  <Section title="This browser">
    <Panel className="divide-y divide-line">
      <div className="p-4 md:p-5">
        <ThemeChoice />
      </div>
      <div className="p-4 md:p-5">
        <BrowserNotifications />
      </div>
    </Panel>
  </Section>
);

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  const group = useId();
  return (
    <fieldset>
      <legend className="mb-2 font-medium">Theme</legend>
      <div className="flex flex-wrap gap-2">
        {THEMES.map(([name, title]) => (
          <label
            key={name}
            className="flex min-h-[44px] items-center gap-2 rounded-lg md:min-h-10 border border-line-strong px-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={group}
              checked={theme === name}
              onChange={() => {
                chooseTheme(name);
                setTheme(name);
              }}
              className="size-4 accent-accent"
            />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function BrowserNotifications() {
  const [on, setOn] = useState(wantsNotifications);
  const [problem, setProblem] = useState<string>();
  const change = async (wanted: boolean): Promise<void> => {
    if (!wanted) turnNotificationsOff();
    setProblem(wanted ? await turnNotificationsOn() : undefined);
    setOn(wantsNotifications());
  };
  return (
    <>
      <Switch
        label="Browser notifications"
        hint="Shows the same notifications while this page is open in the background."
        on={on}
        busy={!canNotify()}
        onChange={(wanted) => void change(wanted)}
      />
      {!canNotify() && <p className="mt-2 text-sm text-muted">This browser does not support notifications.</p>}
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-sm text-red">
          {problem}
        </p>
      )}
    </>
  );
}
