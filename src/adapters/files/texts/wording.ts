import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TemplateFile, Wording } from '../../../app/ports/files/wording.ts';
import { BUILT_IN, TEMPLATE_NAMES, type Templates } from '../../../domain/handoffs/prompts/templates.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import { loadTemplates, templatePath } from './load-templates.ts';

export function createWording(homePath: string): Wording {
  let current: Templates = BUILT_IN;
  let files: readonly TemplateFile[] = TEMPLATE_NAMES.map((name) => ({
    name,
    path: templatePath(homePath, name),
    text: BUILT_IN[name],
    isOwn: false,
    problem: null,
  }));
  return {
    current: () => current,
    files: () => files,
    refresh: async () => {
      const loaded = await loadTemplates(homePath);
      current = loaded.templates;
      files = loaded.files;
      return loaded.problems;
    },
    save: async (name, text) => {
      const path = templatePath(homePath, name);
      if (text === null) return rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeWholeFile(path, text, 0o600);
    },
  };
}
