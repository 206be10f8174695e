/** The free space on the disk of a folder. */
export interface DiskRoom {
  readonly path: string;
  readonly freeBytes: number;
  /** The number of free inodes; null if the file system does not report this number. */
  readonly freeInodes: number | null;
}

const MB = 1_048_576;
const GB = 1024 * MB;
/** The minimum free space and the minimum number of free inodes. Below these values, writes may fail. */
const LEAST_BYTES = 100 * MB;
const LEAST_INODES = 1_000;

const inWords = (bytes: number): string =>
  bytes >= GB ? `${Math.floor(bytes / GB)} GB` : `${Math.floor(bytes / MB)} MB`;

export function roomInWords({ path, freeBytes, freeInodes }: DiskRoom): string {
  const inodes = freeInodes !== null && freeInodes < LEAST_INODES ? ` and ${freeInodes} inodes` : '';
  return `${inWords(freeBytes)}${inodes} are free on the disk of ${path}`;
}

export function assessDiskRoom({ freeBytes, freeInodes }: DiskRoom): 'plenty' | 'little' | 'too_little' {
  if (freeBytes < LEAST_BYTES || (freeInodes ?? LEAST_INODES) < LEAST_INODES) return 'too_little';
  return freeBytes < GB ? 'little' : 'plenty';
}
