import type { Wording } from '../../app/ports/wording.ts';
import { BUILT_IN, type Templates } from '../../domain/handoff/templates.ts';
import { loadTemplates } from './load-templates.ts';

export function createWording(homePath: string): Wording {
  let current: Templates = BUILT_IN;
  return {
    current: () => current,
    refresh: async () => {
      const { templates, problems } = await loadTemplates(homePath);
      current = templates;
      return problems;
    },
  };
}
