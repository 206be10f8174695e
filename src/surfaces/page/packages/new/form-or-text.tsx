import { classes } from '../../parts/class-names.ts';
import { useConfirm } from '../../parts/dialogs/confirm.tsx';

interface Props {
  readonly isForm: boolean;
  readonly hasText: boolean;
  readonly onForm: () => void;
  readonly onText: () => void;
}

/**
 * Switches between form and text. Switching to the text keeps what the operator entered. Switching back to the form
 * discards the text, because the form cannot read a package from text.
 */
export function FormOrText({ isForm, hasText, onForm, onText }: Props) {
  const confirm = useConfirm();
  const toForm = async (): Promise<void> => {
    const question = 'The form cannot read a package from text, so it starts empty and your text is discarded.';
    if (!hasText || (await confirm({ title: 'Discard your text?', question, yes: 'Discard text' }))) onForm();
  };
  return (
    <fieldset className="mb-4 flex gap-2">
      <legend className="mb-1 text-sm font-medium">Write the package</legend>
      {[
        { label: 'In a form', isChosen: isForm, choose: () => void toForm() },
        { label: 'As text', isChosen: !isForm, choose: onText },
      ].map(({ label, isChosen, choose }) => (
        <button
          key={label}
          type="button"
          aria-pressed={isChosen}
          onClick={() => !isChosen && choose()}
          className={classes(
            'min-h-[44px] rounded-full border px-4 text-sm md:min-h-8',
            isChosen
              ? 'border-accent bg-accent-soft font-semibold text-accent'
              : 'border-line-strong text-muted hover:bg-panel hover:text-ink',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
