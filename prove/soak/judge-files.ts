import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, type Sent } from './book.ts';
import type { Place } from './desk.ts';
import type { Finding } from './finding.ts';
import type { Logs } from './logs.ts';

/** Checks that no file that an agent wrote is in another agent's working directory or in the project's own folder. */
export function judgeFiles(sent: readonly Sent[], places: readonly Place[], project: string): Finding[] {
  const owner = new Map(sent.map(({ mark, place }) => [`${mark}.txt`, place]));
  const folders = [...places, { name: 'the project', folder: project }];
  return folders.flatMap(({ name, folder }) =>
    filesIn(folder)
      .filter((file) => owner.get(file) !== name)
      .map((file): Finding => ({ offence: 'astray', what: `${file} of ${owner.get(file)} lies with ${name}` })),
  );
}

export function validateWritten(sent: readonly Sent[], places: readonly Place[], logs: Logs): Finding[] {
  const marks = new Map(sent.map((message) => [`${message.mark}.txt`, message]));
  const written = [...logs.values()]
    .flat()
    .flatMap(({ type, name, ok, input }) =>
      type === 'tool' && name === 'Write' && ok ? [input?.file_path?.split('/').at(-1) ?? ''] : [],
    );
  return written.flatMap((file): Finding[] => {
    const message = marks.get(file);
    const place = places.find(({ name }) => name === message?.place);
    if (message === undefined || place === undefined) return [];
    const path = join(place.folder, FILES, file);
    const isThere = existsSync(path) && readFileSync(path, 'utf8').includes(message.mark);
    return isThere ? [] : [{ offence: 'lost', what: `${file} of ${place.name} is not there` }];
  });
}

const filesIn = (folder: string): readonly string[] => {
  const path = join(folder, FILES);
  return existsSync(path) ? readdirSync(path) : [];
};
