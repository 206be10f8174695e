import type { Run } from '../../../contract/resources.ts';
import { runStatus } from '../../../contract/words/step-words.ts';
import { Badge } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Countdown } from '../parts/time.tsx';

export function RunStatus({ run }: { readonly run: Run }) {
  const { words, tone } = runStatus(run);
  return <Badge tone={tone}>{words}</Badge>;
}

/**
 * Shows the time left for the current step of the run, or that the timer is paused. Shows nothing for a step without a
 * deadline.
 */
export function RunDeadline({ run, who }: { readonly run: Run; readonly who: string }) {
  if (run.over) return null;
  if (run.paused_since !== null)
    return <span className="text-amber">Timer paused until {visible(who)} is answered</span>;
  if (run.deadline_at === null) return null;
  return (
    <span className="text-muted">
      Step deadline: <Countdown to={run.deadline_at} after=" left" />
    </span>
  );
}
