import { useState } from 'react';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import type { PackageVerb } from '../../../../contract/routes.ts';
import { usePartyNames } from '../../api/party-names.ts';
import { Button } from '../../parts/button.tsx';
import { useConfirm } from '../../parts/dialogs/confirm.tsx';
import { useTell } from '../../parts/dialogs/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FailDialog } from './fail-dialog.tsx';
import type { PersonAction } from './person-actions.ts';
import { usePackageVerb } from './use-package-verb.ts';

interface Props {
  readonly detail: PackageDetail;
  readonly actions: readonly PersonAction[];
}

/** Buttons for a person's actions. An action that needs a text opens a dialog. */
export function PackageActions({ detail, actions }: Props) {
  const [failing, setFailing] = useState(false);
  const send = usePackageVerb(detail);
  const [verb, setVerb] = useState<PackageVerb | null>(null);
  const act = useAction(async (sent: PackageVerb) => {
    setVerb(sent);
    await send(sent, {});
    return undefined;
  });
  const isBusyWith = (sent: PackageVerb): boolean => act.busy && verb === sent;
  const confirm = useConfirm();
  const tell = useTell();
  const called = usePartyNames();
  const cancel = async (): Promise<void> => {
    const question = `This ends ${detail.id} for ${called(detail.from)} and ${called(detail.to)}. You can undo this.`;
    const asked = { title: `Cancel ${detail.id}?`, question, yes: 'Cancel package', no: 'Keep package' };
    if (!(await confirm(asked)) || !(await act.run('cancel'))) return;
    const undo = { label: 'Undo', run: () => void act.run('restore') };
    tell.good(`${detail.id} was canceled.`, { action: undo });
  };
  if (actions.every((action) => action === 'decide' || action === 'answer')) return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2" disabled={act.busy}>
      <legend className="sr-only">Actions for {detail.id}</legend>
      {actions.includes('seal') && (
        <Button
          busy={isBusyWith('seal')}
          aria-label={`Submit package ${detail.id}`}
          onClick={() => void act.run('seal')}
        >
          Submit package
        </Button>
      )}
      {actions.includes('fail') && (
        <Button aria-label={`Mark as failed… ${detail.id}`} onClick={() => setFailing(true)}>
          Mark as failed…
        </Button>
      )}
      {actions.includes('cancel') && (
        <Button
          kind="danger"
          busy={isBusyWith('cancel')}
          aria-label={`Cancel package… ${detail.id}`}
          onClick={() => void cancel()}
        >
          Cancel package…
        </Button>
      )}
      {actions.includes('restore') && (
        <Button
          busy={isBusyWith('restore')}
          aria-label={`Undo cancellation of ${detail.id}`}
          onClick={() => void act.run('restore')}
        >
          Undo cancellation
        </Button>
      )}
      {failing && <FailDialog detail={detail} onClose={() => setFailing(false)} />}
    </fieldset>
  );
}
