import { readFileSync } from 'node:fs';

/** The version from package.json. The file is two folders above this one, both in the source tree and in dist. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
