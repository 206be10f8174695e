import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import type { InboxItem } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { usePost } from '../../api/machine-clients.ts';
import { packageQuery, packageReceiversQuery } from '../../api/package-queries.ts';
import { usePartyNames } from '../../api/party-names.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { isOperator } from '../package-words.ts';

/** The buttons "Remind" and "Reassign…", for a package whose agent does not act. */
export function PackageOffers({ id, offers }: { readonly id: string; readonly offers: InboxItem['offers'] }) {
  const post = usePost();
  const [isAsking, setAsking] = useState(false);
  const remind = useAction(async () => {
    await post<PackageDetail>(PATHS.packageVerb(id, 'remind'), {});
    return `Baton reminds the agent about ${id} when the agent is idle.`;
  });
  return (
    <>
      {offers?.includes('remind') && (
        <Button
          small
          kind="primary"
          busy={remind.busy}
          aria-label={`Remind the agent of ${id}`}
          onClick={() => void remind.run()}
        >
          Remind
        </Button>
      )}
      {offers?.includes('reassign') && (
        <Button small aria-label={`Reassign ${id}…`} onClick={() => setAsking(true)}>
          Reassign…
        </Button>
      )}
      {isAsking && <ReassignDialog id={id} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Asks the operator for the new receiver. Stays open if the server refuses the receiver. */
function ReassignDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const post = usePost();
  const [to, setTo] = useState('');
  const { data: receivers = [] } = useQuery(packageReceiversQuery);
  const { data: detail } = useQuery(packageQuery(id));
  const called = usePartyNames();
  // Suggest that the operator takes the package only if the operator did not send it, because the server refuses to
  // give a package that the operator sent to the operator.
  const canTake = detail !== undefined && !isOperator(detail.from);
  const former = detail === undefined ? 'the former receiver' : called(detail.to);
  const send = useAction(
    async () => {
      await post<PackageDetail>(PATHS.packageVerb(id, 'reassign'), { to: to.trim() });
      onClose();
      return `${id} now goes to ${to.trim()}.`;
    },
    { inDialog: true },
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send.run();
  };
  return (
    <Dialog title={`Reassign ${id}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="New receiver"
          hint={visible(
            `A persona, a role or an agent${canTake ? '; type human to take it yourself' : ''}. Then ${former} can no longer act on it.`,
          )}
        >
          {(ids) => (
            <>
              <TextInput
                {...ids}
                autoFocus
                required
                maxLength={200}
                placeholder="Example: agent-5"
                list={`receivers-${id}`}
                value={to}
                onChange={(event) => setTo(event.target.value)}
              />
              <datalist id={`receivers-${id}`}>
                {receivers.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Trouble error={send.refusal} />
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={send.busy} disabled={to.trim() === ''}>
            Reassign
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
