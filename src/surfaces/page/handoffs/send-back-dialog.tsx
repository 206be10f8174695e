import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { Field, TextArea } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';

interface Words {
  readonly title: string;
  readonly button: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
}

/** Asks the operator which changes the document needs. Stays open when the server refuses the comment. */
export const SendBackDialog = ({
  runId,
  sendBack,
  onClose,
}: {
  readonly runId: number;
  readonly sendBack: (comment: string) => Promise<void>;
  readonly onClose: () => void;
}) => (
  <TextDialog
    send={sendBack}
    onClose={onClose}
    words={{
      title: `Send back the document of handoff ${runId}`,
      button: 'Send document back',
      label: 'Requested changes',
      hint: 'The agent gets this comment and writes the document again.',
      placeholder: 'Example: The open questions are missing.',
    }}
  />
);

/** Lets the operator write a message to a successor that has not acknowledged the handoff. */
export const MessageSuccessorDialog = ({
  runId,
  ...props
}: {
  readonly runId: number;
  readonly send: (text: string) => Promise<void>;
  readonly onClose: () => void;
}) => (
  <TextDialog
    {...props}
    words={{
      title: `Message to the successor in handoff ${runId}`,
      button: 'Send message',
      label: 'Message',
      hint: 'Baton types this message to the successor and then waits again for the acknowledgment.',
      placeholder: 'Example: Read the document first, then acknowledge.',
    }}
  />
);

function TextDialog({
  send: deliver,
  onClose,
  words: { title, button, label, hint, placeholder },
}: {
  readonly send: (text: string) => Promise<void>;
  readonly onClose: () => void;
  readonly words: Words;
}) {
  const [text, setText] = useState('');
  const send = useAction(
    async () => {
      await deliver(text.trim());
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
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={label} hint={hint}>
          {(ids) => (
            <TextArea
              {...ids}
              autoFocus
              rows={3}
              required
              maxLength={1000}
              placeholder={placeholder}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Trouble error={send.refusal} />
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={send.busy} disabled={text.trim() === ''}>
            {button}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
