import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run, RunAction } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { waitsForApproval } from '../../../contract/words/step-words.ts';
import { useOnMachine, usePost } from '../api/machine-clients.ts';
import { replaced, runQuery, runsQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { ToRun } from '../parts/to.tsx';
import { useAction } from '../parts/use-action.ts';
import { AdoptDialog } from './adopt-dialog.tsx';
import { actionLabel, chooseOffers, mainOffer, needsSuccessor, type Offer } from './choose-offers.ts';
import { MessageSuccessorDialog, SendBackDialog } from './send-back-dialog.tsx';
import { SucceedButton } from './succeed-button.tsx';

/**
 * Buttons for the actions that are possible for a run now. The server decides which actions are possible, and describes
 * each action in a sentence.
 */
export function RunActions({ run, small }: { readonly run: Run; readonly small?: boolean }) {
  const act = useRunAction(run);
  const [asking, setAsking] = useState<'adopt' | 'send_back' | 'message' | null>(null);
  const offers = chooseOffers(run.actions);
  const isSuccessorNeeded = needsSuccessor(run);
  const main = isSuccessorNeeded ? undefined : mainOffer(offers);
  const on = useOnMachine();
  if (offers.length === 0 && !isSuccessorNeeded) return null;
  const choose = (offer: Offer): void =>
    offer.action === 'adopt' || offer.action === 'send_back' || offer.action === 'message'
      ? setAsking(offer.action)
      : void act.choose(offer);
  return (
    <fieldset className={classes('flex min-w-0 flex-wrap gap-2', small && 'mt-3')} disabled={act.busy !== null}>
      <legend className="sr-only">Actions for handoff {run.id}</legend>
      {small && waitsForApproval(run) && <DocumentLink run={run} />}
      {isSuccessorNeeded && <SucceedButton agentId={run.agent_id} kind="primary" small={small ?? false} />}
      {offers.map((offer) => (
        <Button
          key={offer.action}
          small={small ?? false}
          kind={offer.confirm !== null ? 'danger' : offer === main ? 'primary' : 'plain'}
          busy={act.busy === offer.action}
          title={offer.title}
          aria-label={`${actionLabel(offer.action, run)}, handoff ${run.id} of agent ${run.agent_id}${on}`}
          onClick={() => choose(offer)}
          className="py-1.5 text-left whitespace-normal!"
        >
          {actionLabel(offer.action, run)}
        </Button>
      ))}
      {asking === 'adopt' && <AdoptDialog runId={run.id} adopt={act.adopt} onClose={() => setAsking(null)} />}
      {asking === 'message' && (
        <MessageSuccessorDialog runId={run.id} send={act.message} onClose={() => setAsking(null)} />
      )}
      {asking === 'send_back' && (
        <SendBackDialog runId={run.id} sendBack={act.sendBack} onClose={() => setAsking(null)} />
      )}
    </fieldset>
  );
}

/**
 * A link to the document, so that the operator can read the document before approving it. A card needs this link,
 * because the card shows the actions without the document.
 */
const DocumentLink = ({ run: { id } }: { readonly run: Run }) => (
  <ToRun
    id={id}
    className="mr-1 inline-flex min-h-[44px] items-center self-center text-sm text-accent underline md:min-h-0"
  >
    Read document
  </ToRun>
);

interface RunActionState {
  /** The action that was chosen and that the server has not answered yet; null if there is none. */
  readonly busy: RunAction | null;
  readonly choose: (offer: Offer) => Promise<void>;
  /**
   * Adopts the document in the given file. Rejects with the server's refusal, so that the dialog that asks for the file
   * can show the refusal.
   */
  readonly adopt: (file: string) => Promise<void>;
  /**
   * Sends the document back with the given comment. Rejects with the server's refusal, so that the dialog that asks for
   * the comment can show the refusal.
   */
  readonly sendBack: (comment: string) => Promise<void>;
  /**
   * Sends the given text to the successor. Rejects with the server's refusal, so that the dialog that asks for the text
   * can show the refusal.
   */
  readonly message: (text: string) => Promise<void>;
}

export function useRunAction(run: Run): RunActionState {
  const post = usePost();
  const client = useQueryClient();
  const confirm = useConfirm();
  const [busy, setBusy] = useState<RunAction | null>(null);
  const send = async (action: RunAction, body: Record<string, string>): Promise<undefined> => {
    setBusy(action);
    try {
      const answer = await post<Run>(PATHS.runAction(run.id, action), body);
      client.setQueryData(runQuery(run.id).queryKey, answer);
      client.setQueryData(runsQuery.queryKey, (known: Run[] | undefined) => known && replaced(known, [answer]));
    } finally {
      setBusy(null);
    }
  };
  const request = useAction(send);
  const choose = async ({ action, title, confirm: question }: Offer): Promise<void> => {
    const yes = actionLabel(action, run).replace('…', '');
    // The button that closes the dialog is called "Close". If it were called "Cancel", the operator could think that it
    // cancels the handoff.
    if (question === null || (await confirm({ title: `${title}?`, question, yes, no: 'Close' })))
      await request.run(action, {});
  };
  return {
    busy,
    choose,
    adopt: (file) => send('adopt', { file }),
    sendBack: (comment) => send('send_back', { comment }),
    message: (text) => send('message', { text }),
  };
}
