import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Asks for the file that the agent wrote elsewhere. Stays open when the server refuses it. */
export function AdoptDialog({
  adopt,
  onClose,
}: {
  readonly adopt: (file: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [file, setFile] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await adopt(file.trim());
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <Dialog title="Use another file as the document" onClose={onClose}>
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
        <Trouble error={error} />
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!file.trim().startsWith('/')}>
            Use this file
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
