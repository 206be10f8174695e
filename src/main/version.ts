import { readFileSync } from 'node:fs';

/** The version from package.json, which is two folders up both in the source tree and in dist. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
