import { statfs } from 'node:fs/promises';
import type { DiskRoom } from '../../domain/maintenance/disk-room.ts';

/** Returns the free space. `files` is 0 on file systems that create inodes as needed (btrfs and others). */
export async function diskRoom(path: string): Promise<DiskRoom> {
  const { bavail, bsize, files, ffree } = await statfs(path);
  return { path, freeBytes: bavail * bsize, freeInodes: files === 0 ? null : ffree };
}
