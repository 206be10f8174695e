import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PackageDetail, PackageFinding } from '../../../../contract/packages/package-resources.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { contentOf } from '../content/package-content.tsx';
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
  const artifact = artifactAt(detail, pointer);
  const client = useQueryClient();
  const send = usePackageVerb(detail);
  const waive = useAction(
    async () => {
      // End the waiver at the end of the chosen day, in local time.
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
      <p className="mb-1 font-mono text-xs break-all text-muted">{visible(artifact ?? pointer)}</p>
      <p className="mb-4 text-sm text-muted">
        An override lets the package be submitted despite this error, until the end of the day that you choose. Any
        other error still blocks it.
      </p>
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

/** Returns the path of the artifact that the finding is about. Returns undefined if it is about another part. */
function artifactAt(detail: PackageDetail, pointer: string): string | undefined {
  const index = /^(?:\/handoff)?\/context\/artifacts\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
  const path: unknown = index === undefined ? undefined : contentOf(detail).context.artifacts?.[Number(index)]?.path;
  return typeof path === 'string' ? path : undefined;
}
