import type { TemplateName, Templates } from '../../../domain/handoffs/prompts/templates.ts';

export interface TemplateFile {
  readonly name: TemplateName;
  readonly path: string;
  /** The text in use now. */
  readonly text: string;
  /** true: it is the operator's text. */
  readonly isOwn: boolean;
  /** Why the operator's own text is not used. */
  readonly problem: string | null;
}

/** The wording of Baton's prompts: the operator's texts if they are usable, otherwise the built-in ones. */
export interface Wording {
  current(): Templates;
  /** Where the texts in use come from. */
  files(): readonly TemplateFile[];
  /** Reads changed files; returns a sentence for each text that cannot be used. */
  refresh(): Promise<readonly string[]>;
  /** Writes the operator's own text, or removes it with null. */
  save(name: TemplateName, text: string | null): Promise<void>;
}
