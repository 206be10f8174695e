import { chromium } from 'playwright-core';
import { findProgram } from '../setup/run.mjs';
import { TOOLS } from '../setup/tools.mjs';

/**
 * Launches the system's own Chromium, which the set-up installs.
 * @param {readonly string[]} [more] arguments of its command line
 */
export function launchChromium(more = []) {
  const programs = TOOLS.find(({ name }) => name === 'chromium')?.programs ?? [];
  const executablePath = findProgram(programs);
  if (!executablePath) throw new Error('Chromium is missing. Run: node scripts/setup.mjs --chromium');
  // If this process runs as root, switch off Chromium's sandbox, because the sandbox does not work for root. Do not use
  // /dev/shm, because it is too small in containers.
  const asRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    args: [...(asRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', ...more],
  });
}
