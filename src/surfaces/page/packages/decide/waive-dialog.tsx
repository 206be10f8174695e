import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PackageDetail, PackageFinding } from '../../../../contract/packages/package-resources.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { usePackageVerb } from './use-package-verb.ts';

interface Props {
  readonly detail: PackageDetail;
  readonly finding: PackageFinding;
  readonly onClose: () => void;
}

/** Waives one error in one place, with a reason and an end date. */
export function WaiveDialog({ detail, finding: { rule, pointer, message }, onClose }: Props) {
  const [why, setWhy] = useState('');
  const [day, setDay] = useState('');
  const client = useQueryClient();
  const send = usePackageVerb(detail);
  const waive = useAction(
    async () => {
      // The waiver ends at the end of the chosen day, in local time.
      const until = new Date(`${day}T23:59:59`).toISOString();
      await send('waive', { rule, pointer, why: why.trim(), until });
      await client.invalidateQueries({ queryKey: ['package', detail.id, 'report'] });
      onClose();
      return `${rule} is overridden in ${detail.id}.`;
    },
    { inDialog: true },
  );
  return (
    <Dialog title={`Override ${rule} in ${detail.id}`} onClose={onClose}>
      <p className="mb-1 wrap-anywhere">{visible(message)}</p>
      <p className="mb-4 font-mono text-xs break-all text-muted">{visible(pointer)}</p>
      <Field label="Reason for override" hint="The reason is saved with the package, where everyone can read it.">
        {(ids) => <TextArea {...ids} rows={3} value={why} onChange={({ target }) => setWhy(target.value)} />}
      </Field>
      <Field label="Valid until">
        {(ids) => <TextInput {...ids} type="date" value={day} onChange={({ target }) => setDay(target.value)} />}
      </Field>
      <Trouble error={waive.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          busy={waive.busy}
          disabled={why.trim() === '' || day === ''}
          onClick={() => void waive.run()}
        >
          Override error
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
