/** A persona's text as the server has it. */
export interface KeptText {
  readonly text: string | null;
  readonly sha256: string | null;
  /** Why the file is neither shown nor saved. */
  readonly problem?: string | undefined;
}

/** What the operator makes of it. */
export interface TextDraft {
  /** Null: nothing was changed, the kept text is shown. */
  readonly mine: string | null;
  /** The sha256 of the text that the changes began with. */
  readonly basedOn: string | null;
  /** What was mine before theirs was loaded, to compare. */
  readonly copy: string | null;
}

export const NO_DRAFT: TextDraft = { mine: null, basedOn: null, copy: null };

export const shownText = ({ mine }: TextDraft, kept: KeptText): string => mine ?? kept.text ?? '';

export const isUnsaved = ({ mine }: TextDraft, kept: KeptText): boolean => mine !== null && mine !== (kept.text ?? '');

/** Somebody else saved, and what is mine knows nothing of it: saving it would destroy theirs. */
export const isOutdated = (draft: TextDraft, kept: KeptText): boolean =>
  isUnsaved(draft, kept) && draft.basedOn !== kept.sha256;

export const typed = (draft: TextDraft, kept: KeptText, text: string): TextDraft => ({
  ...draft,
  mine: text,
  basedOn: draft.mine === null ? kept.sha256 : draft.basedOn,
});

/** What equals the kept text is no change any more: the editor follows what is kept again. The same object if nothing settles. */
export const settled = (draft: TextDraft, kept: KeptText): TextDraft =>
  draft.mine === null || isUnsaved(draft, kept) ? draft : { ...NO_DRAFT, copy: draft.copy };

/** What was typed while the answer was on its way stays, now as a change of what was saved. */
export const saved = (draft: TextDraft, now: KeptText): TextDraft => ({ ...draft, basedOn: now.sha256 });

export const theirsLoaded = (draft: TextDraft): TextDraft => ({ ...NO_DRAFT, copy: draft.mine ?? draft.copy });

/** The copy comes back into the editor, now as a change of what is kept. */
export const copyTakenBack = (draft: TextDraft, kept: KeptText): TextDraft =>
  draft.copy === null ? draft : { mine: draft.copy, basedOn: kept.sha256, copy: null };

export const copyPutAway = (draft: TextDraft): TextDraft => ({ ...draft, copy: null });
