import { readFileSync } from 'node:fs';

/** From package.json, two folders up both in the source tree and in dist. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
