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
    const question = 'This signs out every Baton page on all devices. To sign in again, run baton open.';
    if (await ask({ title: 'Sign out everywhere?', question, yes: 'Sign out everywhere' })) await action.run(true);
  };
  return (
    <Section title="Sign-in">
      <Panel className="flex flex-wrap items-center justify-between gap-3 p-4 md:p-5">
        <p className="flex-1 basis-72 text-sm text-muted">
          Closing this tab signs it out. To sign in again, run <code>baton open</code> in a terminal.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button small busy={action.busy} onClick={() => void action.run(false)}>
            Sign out
          </Button>
          <Button small kind="danger" busy={action.busy} onClick={() => void everywhere()}>
            Sign out everywhere
          </Button>
        </div>
      </Panel>
    </Section>
  );
}
