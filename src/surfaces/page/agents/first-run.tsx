import type { DemoStarted } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { useAction } from '../parts/use-action.ts';

const LINES = [
  ['An agent works.', 'It runs in tmux, wears a persona, and learns things that are written nowhere.'],
  ['Its context fills up.', 'One click on Handoff, and it writes down in its own words what it knows.'],
  ['A successor goes on.', 'Same persona, same skills, with that document read and acknowledged.'],
] as const;

/** Shown while no agent runs: what Baton is for, and a demo of a handoff that needs no API key. */
export function FirstRun({ onStart }: { readonly onStart: () => void }) {
  const demo = useAction(async () => {
    await post<DemoStarted>(PATHS.demo, {});
    return 'A practice agent is starting. It works, fills its context, and is handed over by itself.';
  });
  return (
    <Panel className="mx-auto max-w-2xl p-6 md:p-8">
      <h2 className="text-lg font-semibold">Nothing runs yet</h2>
      <ol className="my-5 flex flex-col gap-3">
        {LINES.map(([title, text], index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent"
            >
              {index + 1}
            </span>
            <span>
              <strong>{title}</strong> <span className="text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={demo.busy} onClick={() => void demo.run()}>
          Show me, with the practice agent
        </Button>
        <Button onClick={onStart}>Start an agent of mine</Button>
      </div>
      <p className="mt-3 text-sm text-muted">
        The practice agent is built in: no API key, no cost, about half a minute.
      </p>
    </Panel>
  );
}
