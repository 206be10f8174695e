import type { TemplateName, Templates } from '../../../domain/handoffs/prompts/templates.ts';

export interface TemplateFile {
  readonly name: TemplateName;
  readonly path: string;
  /** What is in use now. */
  readonly text: string;
  /** It is the operator's. */
  readonly isOwn: boolean;
  /** Why the operator's own text is not used. */
  readonly problem: string | null;
}

/** How Baton words its prompts: the operator's own texts where they can be used, the built-in ones elsewhere. */
export interface Wording {
  current(): Templates;
  /** Where the texts in use come from. */
  files(): readonly TemplateFile[];
  /** Looks for changes; what cannot be used, a sentence each. */
  refresh(): Promise<readonly string[]>;
  /** Writes the operator's own text, or removes it with null. */
  save(name: TemplateName, text: string | null): Promise<void>;
}
