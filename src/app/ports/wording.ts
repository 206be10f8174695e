import type { Templates } from '../../domain/handoff/templates.ts';

/** How Baton words its prompts: the operator's own texts where they can be used, the built-in ones elsewhere. */
export interface Wording {
  current(): Templates;
  /** Looks for changes; what cannot be used, a sentence each. */
  refresh(): Promise<readonly string[]>;
}
