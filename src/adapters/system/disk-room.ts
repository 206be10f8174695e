import { statfs } from 'node:fs/promises';
import type { DiskRoom } from '../../domain/maintenance/disk-room.ts';

/**
 * Returns the free bytes and inodes of the file system that contains the path. File systems that create inodes as
 * needed, such as btrfs, report a total of 0 inodes. For these file systems, `freeInodes` is null.
 */
export async function diskRoom(path: string): Promise<DiskRoom> {
  const { bavail, bsize, files, ffree } = await statfs(path);
  return { path, freeBytes: bavail * bsize, freeInodes: files === 0 ? null : ffree };
}
