import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';

/** Asks for the changes that the document needs. Stays open when the server refuses the comment. */
export function SendBackDialog({
  sendBack,
  onClose,
}: {
  readonly sendBack: (comment: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [comment, setComment] = useState('');
  const send = useAction(
    async () => {
      await sendBack(comment.trim());
      onClose();
      return undefined;
    },
    { inDialog: true },
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send.run();
  };
  return (
    <Dialog title="Send document back" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Requested changes"
          hint="The agent gets this comment and writes the document again. The record then points to the new document."
        >
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              required
              maxLength={1000}
              placeholder="The open questions are missing."
              value={comment}
              onChange={(event) => setComment(event.target.value)}
            />
          )}
        </Field>
        <Trouble error={send.refusal} />
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={send.busy} disabled={comment.trim() === ''}>
            Send document back
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
