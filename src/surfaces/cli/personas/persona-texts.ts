import { readFileSync } from 'node:fs';
import { PersonaDetail } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getPersona } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { readAll } from '../inbox/read-all.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { errnoWords } from '../output/errno-words.ts';
import { TICK } from '../output/ink.ts';

export interface TextRequest {
  readonly slug: string;
  readonly name: 'skill' | 'experience';
  /**
   * The file whose text becomes the persona's text; `-` means standard input. If no file is given, the persona's saved
   * text is printed.
   */
  readonly file?: string | undefined;
}

export function personaText(cli: Cli, wanted: TextRequest): Promise<number> {
  return wanted.file === undefined ? printText(cli, wanted) : saveText(cli, wanted, wanted.file);
}

async function printText(cli: Cli, { slug, name }: TextRequest): Promise<number> {
  const { body, data } = await getPersona(operatorClient(cli.deps), slug);
  const { text, problem } = data[name];
  if (problem !== undefined) throw new CliFault(problem, { code: 'persona_text_unusable' });
  const raw = (body as Record<typeof name, unknown>)[name];
  if (text === null && !cli.json) cli.out.note(`${slug} has no ${name}.md.`);
  return showAnswer(cli, { body: raw, data: text }, (shown) =>
    shown === null || shown === '' ? [] : [[withoutEnd(shown)]],
  );
}

/** Removes the last line break, because printing adds a line break. */
const withoutEnd = (text: string): string => text.replace(/\r?\n$/, '');

async function saveText(cli: Cli, { slug, name }: TextRequest, file: string): Promise<number> {
  const text = decode(file === '-' ? await readAll(cli) : readBytes(file), file);
  const api = operatorClient(cli.deps);
  const before = (await getPersona(api, slug)).data[name];
  if (before.problem !== undefined) throw new CliFault(before.problem, { code: 'persona_text_unusable' });
  const answer = await api.post(PATHS.personaText(slug, name), { text, based_on: before.sha256 }, PersonaDetail);
  const isSame = answer.data[name].sha256 === before.sha256;
  return showAnswer(cli, answer, () => [
    isSame
      ? [TICK, ` ${name}.md of ${slug} already has this text`]
      : [TICK, ` Saved ${name}.md of ${slug}; agents get it at the start of their next session`],
  ]);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliFault(`Cannot read ${file}: ${errnoWords(error)}.`, {
      code: 'bad_request',
      exitCode: EXIT.usage,
    });
  }
}

/** Throws CliFault for bytes that are not UTF-8, because the server would save replacement characters instead. */
function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliFault(`${file === '-' ? 'Standard input' : file} is not UTF-8 text; nothing was saved.`, {
      code: 'bad_request',
      exitCode: EXIT.usage,
    });
  }
}
