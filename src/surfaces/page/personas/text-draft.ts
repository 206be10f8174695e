/** A persona's text as saved on the server. */
export interface KeptText {
  readonly text: string | null;
  readonly sha256: string | null;
  /** Why the file can be neither shown nor saved. */
  readonly problem?: string | undefined;
}

/** The operator's unsaved changes. */
export interface TextDraft {
  /** Null if nothing was changed; then the saved text is shown. */
  readonly mine: string | null;
  /** The sha256 of the saved text that the changes began with. */
  readonly basedOn: string | null;
  /** The operator's text, kept for comparison after the other person's text was loaded. */
  readonly copy: string | null;
}

export const NO_DRAFT: TextDraft = { mine: null, basedOn: null, copy: null };

export const shownText = ({ mine }: TextDraft, kept: KeptText): string => mine ?? kept.text ?? '';

export const isUnsaved = ({ mine }: TextDraft, kept: KeptText): boolean => mine !== null && mine !== (kept.text ?? '');

/** True if someone else has saved since the changes began, so that saving now would overwrite their text. */
export const isOutdated = (draft: TextDraft, kept: KeptText): boolean =>
  isUnsaved(draft, kept) && draft.basedOn !== kept.sha256;

export const typed = (draft: TextDraft, kept: KeptText, text: string): TextDraft => ({
  ...draft,
  mine: text,
  basedOn: draft.mine === null ? kept.sha256 : draft.basedOn,
});

/**
 * A draft that equals the saved text is dropped, and the editor follows the saved text again. Returns the same object
 * otherwise.
 */
export const settled = (draft: TextDraft, kept: KeptText): TextDraft =>
  draft.mine === null || isUnsaved(draft, kept) ? draft : { ...NO_DRAFT, copy: draft.copy };

/** Keeps text that was typed while the save was in flight; it is now a change of the saved text. */
export const saved = (draft: TextDraft, now: KeptText): TextDraft => ({ ...draft, basedOn: now.sha256 });

export const theirsLoaded = (draft: TextDraft): TextDraft => ({ ...NO_DRAFT, copy: draft.mine ?? draft.copy });

/** Puts the copy back into the editor, as a change of the saved text. */
export const copyTakenBack = (draft: TextDraft, kept: KeptText): TextDraft =>
  draft.copy === null ? draft : { mine: draft.copy, basedOn: kept.sha256, copy: null };

export const copyPutAway = (draft: TextDraft): TextDraft => ({ ...draft, copy: null });
