import { useState } from 'react';
import type { TestNotification as Tested } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { useAction } from '../parts/use-action.ts';

/** Sends a test notification to every saved channel, and shows the result of each channel. */
export function TestNotification({ unsaved }: { readonly unsaved: boolean }) {
  const [result, setResult] = useState<Tested>();
  const send = useAction(async () => {
    setResult(undefined);
    setResult(await post<Tested>(PATHS.testNotification, {}));
    return undefined;
  });
  const failed = result?.channels.some(({ outcome }) => outcome !== 'sent') ?? false;
  return (
    <div className="mt-5 border-t border-line pt-5">
      <Button small busy={send.busy} onClick={() => void send.run()}>
        Send test notification
      </Button>
      {unsaved && (
        <p className="mt-2 text-sm text-muted">The test uses the saved channels, not your unsaved changes.</p>
      )}
      <p role="status" className={failed ? 'mt-2 text-sm text-red wrap-anywhere' : 'mt-2 text-sm wrap-anywhere'}>
        {result !== undefined && visible(result.sentence)}
      </p>
    </div>
  );
}
