import type { TemplateName, Templates } from '../../../domain/handoffs/prompts/templates.ts';

export interface TemplateFile {
  readonly name: TemplateName;
  readonly path: string;
  /** The text of this prompt that Baton uses now. */
  readonly text: string;
  /** True if the text is the operator's own and not the built-in one. */
  readonly isOwn: boolean;
  /** Why the operator's own text is not used; null if it is used or there is none. */
  readonly problem: string | null;
}

/**
 * The texts of Baton's prompts. If the operator has written a valid text, it is used; otherwise the built-in text is
 * used.
 */
export interface Wording {
  current(): Templates;
  /** Returns the file and the current text of each template. */
  files(): readonly TemplateFile[];
  /** Reads the files that have changed. Returns one sentence for each text that cannot be used. */
  refresh(): Promise<readonly string[]>;
  /** Writes the operator's own text of a prompt, or removes that text if `text` is null. */
  save(name: TemplateName, text: string | null): Promise<void>;
}
