import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { visible } from '../markdown/visible-text.ts';

/**
 * A dialog that uses the browser's own modal element. This element keeps the focus inside the dialog, closes on Escape
 * and gives the focus back. A dialog library would add a style element, which the page's content security policy
 * refuses (docs/decisions/0018).
 */
export function Dialog({
  title,
  onClose,
  children,
  wide,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Use a layout effect, because it closes the dialog before React removes the element. A dialog that is closed after
  // its removal does not give the focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // The padding for scrolling keeps a focused field above the buttons, which cover the lower end of a long dialog.
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={`m-auto w-[calc(100%-2rem)] scroll-pb-24 rounded-xl border border-line bg-panel p-0 text-ink shadow-card ${wide ? 'max-w-3xl' : 'max-w-lg'}`}
    >
      <div className="p-5">
        <h2 id={titleId} className="mb-3 text-lg font-semibold">
          {visible(title)}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons at the end of a dialog. They stay visible while a long dialog scrolls. */
export const DialogButtons = ({ children }: { readonly children: ReactNode }) => (
  <div className="sticky bottom-0 -mx-5 mt-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-panel px-5 py-4">
    {children}
  </div>
);
