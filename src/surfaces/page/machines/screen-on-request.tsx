import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScreenView } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { ask } from '../api/ask.ts';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Ago } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';
import { Pane } from '../terminal/terminal.tsx';

/** The screen of an agent on another machine, fetched when the operator asks for it, with the time of the answer. */
export default function ScreenOnRequest({
  agentId,
  label,
  wraps,
}: {
  readonly agentId: number;
  readonly label: string;
  readonly wraps: boolean;
}) {
  const client = useQueryClient();
  const [shown, setShown] = useState<{ readonly screen: ScreenView; readonly at: string } | null>(null);
  const words = shown === null ? 'Show screen' : 'Show screen again';
  const request = useAction(
    async () => {
      const screen = await ask<ScreenView>(PATHS.screen(agentId), { client });
      setShown({ screen, at: new Date().toISOString() });
      return undefined;
    },
    { inDialog: true },
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3 text-sm">
        <Button
          small
          busy={request.busy}
          aria-label={visible(`${words}: ${label}, agent ${agentId}`)}
          onClick={() => void request.run()}
        >
          {words}
        </Button>
        <span className="text-muted">
          {shown === null ? (
            'The screen is fetched when you ask for it.'
          ) : (
            <>
              Not live: the screen as of <Ago at={shown.at} />
            </>
          )}
        </span>
      </div>
      <Trouble error={request.refusal} />
      {shown !== null && <Pane screen={shown.screen} label={label} wraps={wraps} />}
    </>
  );
}
