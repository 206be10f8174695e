import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';

/** Asks what is wrong with the document. Stays open when the server refuses the comment. */
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
    <Dialog title="Send the document back" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="What is wrong with it"
          hint="The agent is told this and writes the document again. The record then names the new one."
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
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" busy={send.busy} disabled={comment.trim() === ''}>
            Send it back
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
