import { classes } from '../parts/class-names.ts';
import type { Stage, StageState } from './stages.ts';

const LOOK: Readonly<Record<StageState, { readonly word: string; readonly bar: string }>> = {
  done: { word: 'done', bar: 'bg-green' },
  now: { word: 'in progress', bar: 'bg-blue animate-pulse' },
  waits: { word: 'needs you', bar: 'bg-amber' },
  failed: { word: 'failed', bar: 'bg-red' },
  stopped: { word: 'stopped', bar: 'bg-violet' },
  skipped: { word: 'skipped', bar: 'bg-line-strong' },
  missed: { word: 'missing', bar: 'bg-amber' },
  left: { word: 'not started', bar: 'bg-line' },
};

/**
 * Shows all steps as one bar. The names of the steps are only for screen readers and tooltips, because the timeline
 * below shows them with their times.
 */
export function RunStepper({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <ol aria-label="Steps of this handoff" className="flex gap-1">
      {stages.map(({ step, task, state }) => (
        <li
          key={step}
          title={`${task}: ${LOOK[state].word}`}
          aria-current={state === 'now' || state === 'waits' ? 'step' : undefined}
          className="flex-1"
        >
          <span aria-hidden="true" className={classes('block h-1.5 rounded-full', LOOK[state].bar)} />
          <span className="sr-only">
            {task}: {LOOK[state].word}
          </span>
        </li>
      ))}
    </ol>
  );
}
