import { readFileSync } from 'node:fs';

export interface PageFile {
  readonly type: string;
  readonly content: () => Buffer;
}

const file = (name: string, type: string): PageFile => {
  let kept: Buffer | undefined;
  return {
    type: `${type}; charset=utf-8`,
    content: () => {
      kept ??= readFileSync(new URL(`./page/${name}`, import.meta.url));
      return kept;
    },
  };
};

/** The page shell: static, the same for everybody, without any data in it. */
export const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
  ['/', file('index.html', 'text/html')],
  ['/page.css', file('page.css', 'text/css')],
  ['/page.js', file('page.js', 'text/javascript')],
]);
