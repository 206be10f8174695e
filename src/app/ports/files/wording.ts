import type { TemplateName, Templates } from '../../../domain/handoffs/prompts/templates.ts';

export interface TemplateFile {
  readonly name: TemplateName;
  readonly path: string;
  /** The text that Baton uses for this prompt now. */
  readonly text: string;
  /** True if the text is the operator's own and not the built-in one. */
  readonly isOwn: boolean;
  /**
   * The reason why Baton does not use the operator's own text. Null if Baton uses the operator's text, or if the
   * operator has written no text.
   */
  readonly problem: string | null;
}

/**
 * The texts of Baton's prompts. Baton uses the operator's own text if it exists and is valid, and otherwise the
 * built-in text.
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
