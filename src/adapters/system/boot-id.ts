import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The id of the current boot of the machine; null if the system has none. Tests set BATON_FAKE_BOOT_ID, because they
 * cannot reboot the machine.
 */
export function readBootId(env: NodeJS.ProcessEnv, platform = process.platform): string | null {
  if (env.BATON_FAKE_BOOT_ID) return env.BATON_FAKE_BOOT_ID;
  try {
    const told =
      platform === 'darwin'
        ? execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { timeout: 2000, encoding: 'utf8' })
        : readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return told.trim() || null;
  } catch {
    return null;
  }
}
