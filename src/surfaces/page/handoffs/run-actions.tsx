import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Run, RunAction } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { waitsForApproval } from '../../../contract/words/step-words.ts';
import { post } from '../api/call.ts';
import { replaced, runQuery, runsQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { useAction } from '../parts/use-action.ts';
import { AdoptDialog } from './adopt-dialog.tsx';
import { actionLabel, chooseOffers, mainOffer, type Offer } from './choose-offers.ts';
import { SendBackDialog } from './send-back-dialog.tsx';

/** The actions that are possible for a run now: exactly what the server offers, in its words. */
export function RunActions({ run, small }: { readonly run: Run; readonly small?: boolean }) {
  const act = useRunAction(run);
  const [asking, setAsking] = useState<'adopt' | 'send_back' | null>(null);
  const offers = chooseOffers(run.actions);
  const main = mainOffer(offers);
  if (offers.length === 0) return null;
  const choose = (offer: Offer): void =>
    offer.action === 'adopt' || offer.action === 'send_back' ? setAsking(offer.action) : void act.choose(offer);
  return (
    <fieldset className={classes('flex min-w-0 flex-wrap gap-2', small && 'mt-3')} disabled={act.busy !== null}>
      <legend className="sr-only">Actions for handoff {run.id}</legend>
      {small && waitsForApproval(run) && <DocumentLink run={run} />}
      {offers.map((offer) => (
        <Button
          key={offer.action}
          small={small ?? false}
          kind={offer.confirm !== null ? 'danger' : offer === main ? 'primary' : 'plain'}
          busy={act.busy === offer.action}
          title={small ? offer.title : undefined}
          onClick={() => choose(offer)}
          className="py-1.5 text-left whitespace-normal!"
        >
          {small ? actionLabel(offer.action, run) : offer.title}
        </Button>
      ))}
      {asking === 'adopt' && <AdoptDialog adopt={act.adopt} onClose={() => setAsking(null)} />}
      {asking === 'send_back' && <SendBackDialog sendBack={act.sendBack} onClose={() => setAsking(null)} />}
    </fieldset>
  );
}

/** Links to the document, which is not shown here, so that the operator can read it before approving. */
const DocumentLink = ({ run: { id } }: { readonly run: Run }) => (
  <Link to="/runs/$id" params={{ id }} className="mr-1 self-center text-sm text-accent underline">
    Read document
  </Link>
);

interface RunActionState {
  /** The action whose request is in flight. */
  readonly busy: RunAction | null;
  readonly choose: (offer: Offer) => Promise<void>;
  /** Rejects with the server's refusal, which the dialog that asked for the file shows. */
  readonly adopt: (file: string) => Promise<void>;
  /** Rejects with the server's refusal, which the dialog that asked for the comment shows. */
  readonly sendBack: (comment: string) => Promise<void>;
}

export function useRunAction(run: Run): RunActionState {
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
    // The button is not named "Cancel", because the operator could think that it cancels the handoff.
    if (question === null || (await confirm({ title: `${title}?`, question, yes, no: 'Close' })))
      await request.run(action, {});
  };
  return {
    busy,
    choose,
    adopt: (file) => send('adopt', { file }),
    sendBack: (comment) => send('send_back', { comment }),
  };
}
