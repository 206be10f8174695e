import type { TemplateName, Templates } from '../../../domain/handoffs/prompts/templates.ts';

export interface TemplateFile {
  readonly name: TemplateName;
  readonly path: string;
  /** The text that is used now. */
  readonly text: string;
  /** true if this is the operator's own text. */
  readonly isOwn: boolean;
  /** Why the operator's own text is not used; null if there is no problem. */
  readonly problem: string | null;
}

/** The texts of Baton's prompts. The operator's own texts are used if they are valid, otherwise the built-in ones. */
export interface Wording {
  current(): Templates;
  /** Returns the file and the current text of each template. */
  files(): readonly TemplateFile[];
  /** Reads files that have changed; returns one sentence for each text that cannot be used. */
  refresh(): Promise<readonly string[]>;
  /** Writes the operator's own text, or removes it if `text` is null. */
  save(name: TemplateName, text: string | null): Promise<void>;
}
