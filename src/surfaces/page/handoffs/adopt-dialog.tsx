import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';

/**
 * Asks the operator for the path of the handoff document if the agent did not write the document to the expected file.
 * Stays open when the server refuses the file that the operator names.
 */
export function AdoptDialog({
  runId,
  adopt,
  onClose,
}: {
  readonly runId: number;
  readonly adopt: (file: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [file, setFile] = useState('');
  const send = useAction(
    async () => {
      await adopt(file.trim());
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
    <Dialog title={`Use another file as the document of handoff ${runId}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Absolute path of the file"
          hint="The file must be in the agent's project or in its persona's handoffs folder. Baton verifies its content and uses it as the document."
        >
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              required
              spellCheck={false}
              placeholder="/home/you/project/HANDOFF.md"
              className="font-mono text-sm"
              value={file}
              onChange={(event) => setFile(event.target.value)}
            />
          )}
        </Field>
        <Trouble error={send.refusal} />
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={send.busy} disabled={!file.trim().startsWith('/')}>
            Use this file
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
