import { type DragEvent, type Ref, useId, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { classes } from '../../parts/class-names.ts';
import { useConfirm } from '../../parts/dialogs/confirm.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { readTextFile } from './read-text-file.ts';

const EXAMPLE = `handoff:
  from: { agent: human }
  to: { agent: reviewer-ann-2, reason: Ann knows the API }
  context:
    summary: The API in docs/api.md has 12 endpoints
    artifacts:
      - path: docs/api.md
  expectations:
    deliverable: A list of the risks in docs/risks.md`;

interface Props {
  readonly text: string;
  readonly readOnly: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly field: Ref<HTMLTextAreaElement>;
}

/** The field for the package's text, which can be typed, pasted, dropped or read from a file. */
export function TextOfPackage({ text, readOnly, onText, onSend, field }: Props) {
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const confirm = useConfirm();
  const [problem, setProblem] = useState<unknown>(null);
  const [over, setOver] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined || readOnly) return;
    setProblem(null);
    try {
      const read = await readTextFile(file);
      const question = `The content of ${file.name} replaces your text.`;
      if (
        text.trim() === '' ||
        text === read ||
        (await confirm({ title: 'Replace your text?', question, yes: 'Replace text' }))
      )
        onText(read);
    } catch (error) {
      setProblem(error);
    }
  };
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className="mb-4">
      <div className="mb-1.5 flex flex-wrap items-end justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          Package
        </label>
        <Button small disabled={readOnly} onClick={() => chooser.current?.click()}>
          Choose file…
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".yaml,.yml,.json,.txt"
          onChange={({ target }) => {
            void take(target.files?.[0]);
            // Reset the input, so that the operator can choose the same file again after changing it.
            target.value = '';
          }}
        />
      </div>
      <TextArea
        ref={field}
        id={id}
        aria-describedby={`${id}-hint`}
        value={text}
        readOnly={readOnly}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          if (!readOnly) onSend();
        }}
        onDragOver={onDrag}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        placeholder={EXAMPLE}
        spellCheck={false}
        autoCapitalize="none"
        wrap="off"
        className={classes(
          'h-[22rem] resize-y font-mono text-[0.87rem] leading-relaxed lg:h-[calc(100dvh-27rem)] lg:min-h-[22rem]',
          over && 'border-accent bg-accent-soft',
        )}
      />
      <div id={`${id}-hint`} className="mt-1 text-sm text-muted">
        YAML or JSON. You can also drop a file here. The sender is <code className="font-mono">human</code> or{' '}
        <code className="font-mono">orchestrator</code>. docs/PROTOCOL.md describes all fields.
      </div>
      <div className="mt-2 empty:hidden">
        <Trouble error={problem} />
      </div>
    </div>
  );
}
