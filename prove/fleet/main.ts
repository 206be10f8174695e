import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createNatsTransport } from '../../src/adapters/fleet/nats-transport.ts';
import scratchFolder from '../../test/support/scratch-folder.ts';
import { Fleet } from './fleet.ts';
import { MachineKilled } from './machine.ts';
import { play, type Size } from './play.ts';

const SHORT: Size = { real: 3, realAgents: 1, simulated: 8, agentsEach: 5, rounds: 8, beatMs: 500 };
const FULL: Size = { real: 10, realAgents: 2, simulated: 90, agentsEach: 11, rounds: 24, beatMs: 5_000 };

/** Runs `npm run prove:fleet` and prints the result as JSON in the last line. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const say = values.json ? console.error : console.log;
  const removeScratch = scratchFolder();
  const scratch = mkdtempSync(join(tmpdir(), 'bt-proof-'));
  const transport = createNatsTransport({ folder: scratch, env: process.env, log: () => undefined });
  const missing = await transport.hub.whyNot();
  if (missing !== undefined) {
    console.error(
      `prove:fleet cannot run: ${missing}. Debian: apt-get install nats-server. macOS: brew install nats-server`,
    );
    return 1;
  }
  // Ignore failed writes of a killed machine. All simulated machines run in this process. An unhandled failure would
  // end the process, and with it all other machines.
  process.on('unhandledRejection', (error) => {
    if (!(error instanceof MachineKilled)) throw error;
  });
  const size = values.short ? SHORT : FULL;
  const fleet = new Fleet(size.beatMs);
  try {
    const result = await play(fleet, size, scratch, say);
    console.log(JSON.stringify(result));
    const { lost, doubled, executed_twice, executed_expired, forged_accepted } = result;
    const broken = lost + doubled + executed_twice + executed_expired + forged_accepted;
    const isRight = result.view_equal && result.copy_refused && result.restored_noticed;
    return broken === 0 && isRight && !result.restored_took_command ? 0 : 1;
  } catch (error) {
    say(fleet.hubLines());
    throw error;
  } finally {
    await fleet.end().catch((error: unknown) => say(`could not clean up: ${String(error)}`));
    rmSync(scratch, { recursive: true, force: true });
    removeScratch();
  }
}
