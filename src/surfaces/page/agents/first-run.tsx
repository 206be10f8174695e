import type { DemoStarted } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { useAction } from '../parts/use-action.ts';

const LINES = [
  ['An agent works.', 'The agent runs in tmux, has a persona, and learns things that are not written down anywhere.'],
  ['The context fills up.', 'Click Handoff, and the agent writes what it knows into a document.'],
  [
    'A successor continues.',
    'The successor has the same persona and skill, and has read and acknowledged the document.',
  ],
] as const;

/** Shown while no agent runs. Says what Baton is for, and offers a demo, which shows a handoff and needs no API key. */
export function FirstRun({ onStart }: { readonly onStart: () => void }) {
  const demo = useAction(async () => {
    await post<DemoStarted>(PATHS.demo, {});
    return 'A practice agent is starting. It works until its context is full, and Baton hands it over automatically.';
  });
  return (
    <Panel className="mx-auto max-w-2xl p-6 md:p-8">
      <h2 className="text-lg font-semibold">No agents running</h2>
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
          Run demo with practice agent
        </Button>
        <Button onClick={onStart}>Start my own agent</Button>
      </div>
      <p className="mt-3 text-sm text-muted">
        The practice agent is built in: no API key, no cost. The demo takes about 20 seconds.
      </p>
    </Panel>
  );
}
