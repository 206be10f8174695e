import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../app/error-message.ts';
import type { TemplateFile } from '../../../app/ports/files/wording.ts';
import {
  BUILT_IN,
  MAX_TEMPLATE,
  type TemplateName,
  type Templates,
  templateProblems,
} from '../../../domain/handoffs/prompts/templates.ts';

export interface LoadedTemplates {
  readonly templates: Templates;
  /** Sentences for the operator. Each sentence says which template file Baton does not use, and why. */
  readonly problems: readonly string[];
  readonly files: readonly TemplateFile[];
}

export const templatePath = (homePath: string, name: TemplateName): string =>
  join(homePath, 'data/templates', `${name}.txt`);

/**
 * Loads the operator's own wording from `data/templates/`. For a missing or unusable file, the built-in text is used.
 */
export async function loadTemplates(homePath: string): Promise<LoadedTemplates> {
  const [instruction, injection] = await Promise.all([
    loadOne(homePath, 'instruction'),
    loadOne(homePath, 'injection'),
  ]);
  return {
    templates: { instruction: instruction.text, injection: injection.text },
    problems: [instruction, injection].flatMap(({ problem }) => problem ?? []),
    files: [instruction, injection],
  };
}

async function loadOne(homePath: string, name: TemplateName): Promise<TemplateFile> {
  const path = templatePath(homePath, name);
  const builtIn = (why: string | null): TemplateFile => ({
    name,
    path,
    text: BUILT_IN[name],
    isOwn: false,
    problem: why && `${path} is not used: ${why} Baton uses its built-in text instead.`,
  });
  try {
    const text = await readSmallText(path);
    if (text === undefined) return builtIn(null);
    const problems = templateProblems(name, text);
    return problems.length === 0 ? { name, path, text, isOwn: true, problem: null } : builtIn(problems.join(' '));
  } catch (error) {
    return builtIn(`${errorMessage(error).replace(/\.$/, '')}.`);
  }
}

/** Reads a text file of limited size; undefined if there is no file at this path. Does not hang on a FIFO. */
async function readSmallText(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw new Error('the path is not a regular file');
    // Allow four bytes per character, which is the maximum in UTF-8. Read one byte more, to detect a template that is
    // too long.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_TEMPLATE * 4 + 1), 0, MAX_TEMPLATE * 4 + 1, 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)).replace(/\r\n/g, '\n');
  } finally {
    await file.close();
  }
}
