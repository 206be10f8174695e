import { useState } from 'react';
import type { MessageVerdict } from '../../../contract/requests.ts';
import type { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { useAction } from '../parts/use-action.ts';
import { VerdictNote } from './verdict-note.tsx';

/** Types a prompt to an agent and shows the verdict. A text that was not accepted stays in the box. */
export function SendMessage({ agent, rows = 2 }: { readonly agent: Agent; readonly rows?: number }) {
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<MessageVerdict | null>(null);
  const send = useAction(async () => {
    setVerdict(null);
    const answer = await post<MessageVerdict>(PATHS.messages(agent.id), { text });
    setVerdict(answer);
    if (answer.verdict === 'accepted') setText('');
    return undefined;
  });
  const submit = (): void => {
    if (text.trim() !== '' && !send.busy) void send.run();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        aria-label={visible(`Message to ${agent.label}`)}
        placeholder={visible(`Message ${agent.label}`)}
        rows={rows}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="mt-2 flex items-center justify-between gap-2">
        <span className="text-sm text-muted">Ctrl+Enter to send</span>
        <Button type="submit" small busy={send.busy} disabled={text.trim() === ''}>
          Send
        </Button>
      </div>
      <VerdictNote verdict={verdict} />
    </form>
  );
}
