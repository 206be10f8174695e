import { useState } from 'react';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { usePackageVerb } from './use-package-verb.ts';

/**
 * Asks the operator for the cause of the failure, and then marks the package as failed. The package goes back to its
 * sender.
 */
export function FailDialog({ detail, onClose }: { readonly detail: PackageDetail; readonly onClose: () => void }) {
  const [cause, setCause] = useState('');
  const send = usePackageVerb(detail);
  const fail = useAction(
    async () => {
      await send('fail', { cause: cause.trim() });
      onClose();
      return undefined;
    },
    { inDialog: true },
  );
  return (
    <Dialog title={`Mark ${detail.id} as failed`} onClose={onClose}>
      <Field
        label="Reason"
        hint="Required. The package ends as failed and cannot be reopened. Its sender can read this reason."
      >
        {(ids) => <TextArea {...ids} value={cause} onChange={({ target }) => setCause(target.value)} />}
      </Field>
      <Trouble error={fail.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button kind="danger" busy={fail.busy} disabled={cause.trim() === ''} onClick={() => void fail.run()}>
          Mark as failed
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
