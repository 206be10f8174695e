import { useEffect, useRef, useState } from 'react';
import type { MessageVerdict } from '../../../contract/requests.ts';
import type { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { usePost } from '../api/machine-clients.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { useAction } from '../parts/use-action.ts';
import { useKeptDraft } from './list/use-kept-draft.ts';
import { VerdictNote } from './verdict-note.tsx';

/** A form that types a prompt to an agent and shows the verdict. A text that was not accepted stays in the form. */
export function SendMessage({
  agent,
  rows = 2,
  focus = false,
}: {
  readonly agent: Agent;
  readonly rows?: number;
  /** True if the operator has just opened the form, so that its field gets the focus. */
  readonly focus?: boolean;
}) {
  const post = usePost();
  const [text, setText] = useKeptDraft(`message to ${agent.id}`);
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
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (focus) form.current?.scrollIntoView({ block: 'nearest' });
  }, [focus]);
  return (
    <form
      ref={form}
      // Scroll further on a phone, because the tab bar covers the bottom of the page there.
      className="scroll-mb-4 max-md:scroll-mb-24"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        aria-label={visible(`Message to ${agent.label}, agent ${agent.id}`)}
        placeholder={visible(`Message ${agent.label}`)}
        rows={rows}
        autoFocus={focus}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="mt-2 flex items-center justify-between gap-2">
        <span className="text-sm text-muted max-md:invisible">Ctrl+Enter to send</span>
        <Button
          type="submit"
          small
          busy={send.busy}
          disabled={text.trim() === ''}
          aria-label={visible(`Send message to ${agent.label}, agent ${agent.id}`)}
        >
          Send
        </Button>
      </div>
      <VerdictNote verdict={verdict} />
    </form>
  );
}
