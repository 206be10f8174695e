import { useState } from 'react';
import type { Run } from '../../../../contract/resources.ts';
import { Button } from '../../parts/button.tsx';
import { useRunAction } from '../run-actions.tsx';
import { SendBackDialog } from '../send-back-dialog.tsx';

/** Shown beside the document during a review. The operator reads the document, then approves it or sends it back. */
export function RunReview({ run }: { readonly run: Run }) {
  const { busy, choose, sendBack } = useRunAction(run);
  const [isSendingBack, setSendingBack] = useState(false);
  const approve = run.actions.find(({ action }) => action === 'approve');
  const cancel = run.actions.find(({ action }) => action === 'cancel');
  const back = run.actions.find(({ action }) => action === 'send_back');
  if (approve === undefined) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-amber/50 bg-amber-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-80 text-amber">
        <strong>Needs your approval.</strong> Read the document. After you approve it, agent {run.agent_id} exits and
        its successor starts.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          busy={busy === 'approve'}
          disabled={busy !== null}
          onClick={() => void choose(approve)}
          aria-label={`Approve document, handoff ${run.id}`}
        >
          Approve document
        </Button>
        {back !== undefined && (
          <Button
            disabled={busy !== null}
            onClick={() => setSendingBack(true)}
            title={back.title}
            aria-label={`Send document back…, handoff ${run.id}`}
          >
            Send document back…
          </Button>
        )}
        {cancel !== undefined && (
          <Button
            busy={busy === 'cancel'}
            disabled={busy !== null}
            onClick={() => void choose(cancel)}
            title={cancel.title}
            aria-label={`Cancel handoff ${run.id}`}
          >
            Cancel handoff
          </Button>
        )}
      </div>
      {isSendingBack && <SendBackDialog runId={run.id} sendBack={sendBack} onClose={() => setSendingBack(false)} />}
    </div>
  );
}
