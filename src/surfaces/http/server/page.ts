import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  /** True if the file's name changes with its content, so that a browser may cache the file forever. */
  readonly isNamedByContent: boolean;
  readonly content: () => { readonly plain: Buffer; readonly gzipped: Buffer };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Lists the static files of the page by their exact paths, once at the start. The server serves these files without a
 * token, because they contain no data. The server never looks up a requested path on disk.
 */
export function listPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length).replaceAll('\\', '/'), fileAt(path)] as const);
  return new Map(files.map(([path, file]) => [path === '/index.html' ? '/' : path, file]));
}

function fileAt(path: string): PageFile {
  let kept: { readonly plain: Buffer; readonly gzipped: Buffer } | undefined;
  return {
    type: TYPES[extname(path)] ?? '',
    isNamedByContent: /[\\/]assets[\\/]/.test(path),
    content: () => {
      if (kept === undefined) {
        const plain = readFileSync(path);
        kept = { plain, gzipped: gzipSync(plain, { level: 9 }) };
      }
      return kept;
    },
  };
}
