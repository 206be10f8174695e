import { useState } from 'react';
import type { Agent, Run } from '../../../../contract/resources.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useHandOff } from '../hand-off.ts';
import { NO_OPTIONS, SuccessorChoice, successorFields } from './successor-choice.tsx';

const REASONS: readonly { readonly reason: Run['reason']; readonly title: string }[] = [
  { reason: 'context_limit', title: 'Context limit' },
  { reason: 'shift_end', title: 'End of shift' },
  { reason: 'task_boundary', title: 'Task finished' },
];

/**
 * Starts a handoff with a reason, a note for both agents, and optionally a review of the document before the agent
 * exits.
 */
export function HandoffDialog({
  agent,
  reason: first,
  onClose,
}: {
  readonly agent: Agent;
  readonly reason: Run['reason'];
  readonly onClose: () => void;
}) {
  const handOff = useHandOff();
  const [reason, setReason] = useState(first);
  const [note, setNote] = useState('');
  const [review, setReview] = useState(false);
  const [keep, setKeep] = useState(false);
  const [wish, setOptions] = useState(NO_OPTIONS);
  const shells = agent.background.filter(({ kind }) => kind === 'shell');
  const begin = useAction(
    async () => {
      await handOff(agent.id, {
        reason,
        review,
        background: keep ? 'keep' : 'stop',
        ...(note.trim() === '' ? {} : { note }),
        ...successorFields(wish),
      });
      return `The handoff of ${agent.label} has started.`;
    },
    { inDialog: true },
  );
  return (
    <Dialog title={`Hand over ${agent.label}, agent ${agent.id}`} onClose={onClose}>
      <p className="mb-4 text-muted">
        The agent writes a handoff document and exits. A successor with the same persona continues from there.
      </p>
      <Field label="Reason">
        {(ids) => (
          <Select {...ids} value={reason} onChange={(event) => setReason(event.target.value as Run['reason'])}>
            {REASONS.map((each) => (
              <option key={each.reason} value={each.reason}>
                {each.title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Note (optional)"
        hint="The agent reads the note before it writes the document, and its successor reads the note too."
      >
        {(ids) => <TextArea {...ids} value={note} maxLength={2000} onChange={(event) => setNote(event.target.value)} />}
      </Field>
      <SuccessorChoice agent={agent} wish={wish} onChange={setOptions} />
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-1 size-4 shrink-0 accent-accent"
          checked={review}
          onChange={(event) => setReview(event.target.checked)}
        />
        <span>
          Review the document first
          <span className="block text-sm text-muted">The agent keeps running until you approve the document.</span>
        </span>
      </label>
      {shells.length > 0 && (
        <label className="mt-3 flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={keep}
            onChange={(event) => setKeep(event.target.checked)}
          />
          <span>
            Keep background tasks running
            <span className="block text-sm wrap-anywhere text-muted">
              Otherwise they stop when the agent exits: {visible(shells.map(({ what }) => what).join(', '))}
            </span>
          </span>
        </label>
      )}
      <div className="mt-4">
        <Trouble error={begin.refusal} />
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={begin.busy} onClick={() => void begin.run().then((done) => done && onClose())}>
          Start handoff
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
