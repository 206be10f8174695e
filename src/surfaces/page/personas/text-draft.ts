/** A persona's text as saved on the server. */
export interface KeptText {
  readonly text: string | null;
  readonly sha256: string | null;
  /** Says why the server can neither show nor save the text's file; absent if there is no problem. */
  readonly problem?: string | undefined;
}

/** The operator's unsaved changes. */
export interface TextDraft {
  /**
   * The text that the operator is editing; null if the operator has changed nothing, so that the saved text is shown.
   */
  readonly mine: string | null;
  /** The sha256 of the saved text that the operator began to edit. */
  readonly basedOn: string | null;
  /** A copy of the operator's text, kept for comparison while the editor shows a text that somebody else has saved. */
  readonly copy: string | null;
}

export const NO_DRAFT: TextDraft = { mine: null, basedOn: null, copy: null };

export const shownText = ({ mine }: TextDraft, kept: KeptText): string => mine ?? kept.text ?? '';

export const isUnsaved = ({ mine }: TextDraft, kept: KeptText): boolean => mine !== null && mine !== (kept.text ?? '');

/** True if somebody else has saved a text since the operator began to edit. Saving now would overwrite that text. */
export const isOutdated = (draft: TextDraft, kept: KeptText): boolean =>
  isUnsaved(draft, kept) && draft.basedOn !== kept.sha256;

export const typed = (draft: TextDraft, kept: KeptText, text: string): TextDraft => ({
  ...draft,
  mine: text,
  basedOn: draft.mine === null ? kept.sha256 : draft.basedOn,
});

/**
 * Drops a draft that equals the saved text, so that the editor shows the saved text. Returns any other draft unchanged.
 */
export const settled = (draft: TextDraft, kept: KeptText): TextDraft =>
  draft.mine === null || isUnsaved(draft, kept) ? draft : { ...NO_DRAFT, copy: draft.copy };

/**
 * Returns the draft after a save. If the operator typed during the save, the typed text stays in the draft as an
 * unsaved change.
 */
export const saved = (draft: TextDraft, now: KeptText): TextDraft => ({ ...draft, basedOn: now.sha256 });

export const theirsLoaded = (draft: TextDraft): TextDraft => ({ ...NO_DRAFT, copy: draft.mine ?? draft.copy });

/** Puts the kept copy of the operator's text back into the editor, where it counts as an unsaved change. */
export const copyTakenBack = (draft: TextDraft, kept: KeptText): TextDraft =>
  draft.copy === null ? draft : { mine: draft.copy, basedOn: kept.sha256, copy: null };

export const copyPutAway = (draft: TextDraft): TextDraft => ({ ...draft, copy: null });
