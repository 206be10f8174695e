import { classes } from '../parts/class-names.ts';
import type { Stage, StageState } from './stages.ts';

const LOOK: Readonly<Record<StageState, { readonly word: string; readonly bar: string; readonly text: string }>> = {
  done: { word: 'done', bar: 'bg-green', text: 'text-ink' },
  now: { word: 'in progress', bar: 'bg-blue animate-pulse', text: 'text-blue font-semibold' },
  waits: { word: 'needs you', bar: 'bg-amber', text: 'text-amber font-semibold' },
  failed: { word: 'failed', bar: 'bg-red', text: 'text-red font-semibold' },
  stopped: { word: 'stopped', bar: 'bg-violet', text: 'text-violet font-semibold' },
  skipped: { word: 'skipped', bar: 'bg-line-strong', text: 'text-muted line-through' },
  missed: { word: 'missing', bar: 'bg-amber', text: 'text-amber font-semibold' },
  left: { word: 'not started', bar: 'bg-line', text: 'text-muted' },
};

const SHOWN: ReadonlySet<StageState> = new Set(['now', 'waits', 'failed', 'stopped', 'missed']);

/** All steps at a glance, each with its state. */
export function RunStepper({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <ol
      aria-label="Steps of this handoff"
      className="grid grid-cols-3 gap-x-1.5 gap-y-3 sm:grid-cols-6 2xl:grid-cols-12"
    >
      {stages.map(({ step, task, state }) => (
        <li key={step} aria-current={state === 'now' || state === 'waits' ? 'step' : undefined}>
          <span aria-hidden="true" className={classes('block h-1.5 rounded-full', LOOK[state].bar)} />
          <span className={classes('mt-1 flex gap-1 text-xs leading-4', LOOK[state].text)}>
            {state === 'done' && <span aria-hidden="true">✓</span>}
            <span>
              {task}
              <span className={SHOWN.has(state) ? 'block font-normal' : 'sr-only'}> {LOOK[state].word}</span>
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
