import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { forgetToken } from '../api/token.ts';
import { forgetUnsent } from '../packages/new/unsent-package.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { Panel, Section } from '../parts/panel.tsx';
import { useAction } from '../parts/use-action.ts';

export function LogOut() {
  const ask = useConfirm();
  const action = useAction(async (everywhere: boolean) => {
    await post(PATHS.logout, { everywhere });
    forgetToken();
    forgetUnsent();
    location.reload();
    return undefined;
  });
  const everywhere = async (): Promise<void> => {
    const question = 'Every open page of Baton is logged out, on all devices. To come back in: baton open.';
    if (await ask({ title: 'Log out all pages?', question, yes: 'Log out all pages' })) await action.run(true);
  };
  return (
    <Section title="Login">
      <Panel className="flex flex-wrap items-center justify-between gap-3 p-4 md:p-5">
        <p className="flex-1 basis-72 text-sm text-muted">
          This page forgets its login when its tab is closed. A new login address comes from <code>baton open</code>.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button small busy={action.busy} onClick={() => void action.run(false)}>
            Log out this page
          </Button>
          <Button small kind="danger" busy={action.busy} onClick={() => void everywhere()}>
            Log out all pages
          </Button>
        </div>
      </Panel>
    </Section>
  );
}
