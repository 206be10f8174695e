import { useState } from 'react';
import type { PackageDetail } from '../../../contract/package-resources.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialog.tsx';
import { Field, Select, TextArea, TextInput } from '../parts/field.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';
import { visible } from '../parts/visible-text.ts';
import { usePackageVerb } from './use-package-verb.ts';

interface Given {
  readonly result: string;
  readonly evidence: string;
}

const NOTHING: Given = { result: '', evidence: '' };

/** A result for each criterion; none is filled in for anybody. */
export function CompleteDialog({ detail, onClose }: { readonly detail: PackageDetail; readonly onClose: () => void }) {
  const [given, setGiven] = useState<Readonly<Record<string, Given>>>({});
  const [note, setNote] = useState('');
  const send = usePackageVerb(detail);
  const complete = useAction(
    async () => {
      const results = Object.entries(given)
        .filter(([, { result }]) => result !== '')
        .map(([id, { result, evidence }]) => ({ id, result, ...(evidence.trim() === '' ? {} : { evidence }) }));
      const said = note.trim() === '' ? {} : { note: note.trim() };
      await send('complete', { epoch: detail.epoch, results, ...said });
      onClose();
      return undefined;
    },
    { inDialog: true },
  );
  const change = (id: string, changed: Partial<Given>): void =>
    setGiven({ ...given, [id]: { ...(given[id] ?? NOTHING), ...changed } });
  return (
    <Dialog title={`Complete ${detail.id}`} onClose={onClose} wide>
      {detail.criteria.map(({ id, text }) => (
        <div key={id} className="mb-2 grid gap-x-3 sm:grid-cols-[10rem_1fr]">
          <Field label={visible(`${id}: ${text}`)}>
            {(ids) => (
              <Select
                {...ids}
                value={given[id]?.result ?? ''}
                onChange={({ target }) => change(id, { result: target.value })}
              >
                <option value="">Not said</option>
                <option value="pass">passed</option>
                <option value="fail">failed</option>
                <option value="unknown">not known</option>
              </Select>
            )}
          </Field>
          <Field label={visible(`Evidence for ${id}`)}>
            {(ids) => (
              <TextInput
                {...ids}
                value={given[id]?.evidence ?? ''}
                onChange={({ target }) => change(id, { evidence: target.value })}
              />
            )}
          </Field>
        </div>
      ))}
      <Field label="Remark (not needed)">
        {(ids) => <TextArea {...ids} rows={2} value={note} onChange={({ target }) => setNote(target.value)} />}
      </Field>
      <Trouble error={complete.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" busy={complete.busy} onClick={() => void complete.run()}>
          Complete it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
