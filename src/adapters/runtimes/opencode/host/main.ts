import { parseArgs } from 'node:util';
import { Host } from './host.ts';

/**
 * Runs opencode for one agent of Baton, in the agent's terminal: `opencode serve` on loopback, and the terminal client.
 * Reports the events of the session with the hook commands of the settings file. Baton starts this program; operators
 * do not run it.
 */
const { settings = '', resume } = parseArgs({
  options: { settings: { type: 'string' }, resume: { type: 'string' } },
}).values;
process.exit(await new Host(settings, resume ?? null).run());
