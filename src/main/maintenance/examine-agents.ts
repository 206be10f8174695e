import { readdirSync } from 'node:fs';
import { createRuntimes } from '../../adapters/runtimes/runtimes.ts';
import { FULL, SPOOL_CAP } from '../../adapters/spool/hook-script.ts';
import { errorMessage } from '../../app/error-message.ts';
import type { AgentRuntime } from '../../app/ports/agent-runtime.ts';
import type { Finding } from '../../contract/maintenance.ts';
import type { HookSettings } from '../../contract/resources.ts';
import { changeOperatorHooks } from '../operator-hooks.ts';
import { error, note, ok, warning } from './finding.ts';
import type { MaintenanceContext } from './maintenance.ts';

/**
 * The doctor warns if more than this number of hook events are waiting, because a running Baton reads them within
 * moments.
 */
const BACKLOG = 1_000;

export async function examineAgents({ home, env }: MaintenanceContext): Promise<readonly Finding[]> {
  const runtimes = [...createRuntimes({ practice: '' }, env).values()];
  return [spool(home.spool), ...(await hooks(home.path, env)), ...(await Promise.all(runtimes.map(runtime)))];
}

function spool(folder: string): Finding {
  const names = namesIn(folder);
  const waiting = names.filter((name) => /^\d+-\d+-\d+$/.test(name)).length;
  if (names.includes(FULL))
    return error(
      'spool',
      `The folder for waiting hook events (the spool) is full with ${SPOOL_CAP.files} events. Further hook events are dropped until Baton has read some of these events.`,
      'Start Baton: baton start',
    );
  return waiting > BACKLOG
    ? warning(
        'spool',
        `${waiting} hook events wait to be read by Baton.`,
        'Start Baton, and check its log if the number does not go down: baton logs',
      )
    : ok('spool', `${waiting} hook event${waiting === 1 ? ' waits' : 's wait'} to be read by Baton.`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function hooks(homePath: string, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  try {
    return (await changeOperatorHooks({ homePath, env }, { wish: 'look', dryRun: true })).map(hook);
  } catch (fault) {
    return [warning('hooks', errorMessage(fault), 'Check the hooks: baton hooks status')];
  }
}

function hook({ title, state, problem }: HookSettings): Finding {
  if (state === null)
    return warning(
      'hooks',
      problem ?? `The settings of ${title} cannot be read.`,
      'Fix the settings, then: baton hooks status',
    );
  if (problem !== null) return warning('hooks', problem, 'Check the hooks: baton hooks status');
  if (state === 'installed') return ok('hooks', `${title}: Baton sees the sessions that you start yourself.`);
  const remedy = 'baton hooks install';
  return state === 'not_installed'
    ? note(
        'hooks',
        `${title}: Baton does not see the sessions that you start yourself.`,
        `To let Baton see those sessions: ${remedy}`,
      )
    : warning(
        'hooks',
        `${title}: the hooks in your settings are ${state === 'partly' ? 'incomplete' : 'out of date'}.`,
        `Install the hooks again: ${remedy}`,
      );
}

async function runtime({ id, title, unavailableReason, standing }: AgentRuntime): Promise<Finding> {
  const why = await unavailableReason();
  if (why !== undefined) return note(`runtime ${id}`, why, 'Only agents of this type need this program.');
  const known = await standing?.();
  const said = known === undefined ? title : `${title} ${known.sentence}`;
  return known?.standing === 'untried' || known?.standing === 'unknown'
    ? note(`runtime ${id}`, said, 'This version may work. If it does not, use a tested version.')
    : ok(`runtime ${id}`, said);
}
