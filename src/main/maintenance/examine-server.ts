import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { HomeFault } from '../../adapters/home/home-fault.ts';
import { readConfig } from '../../adapters/home/read-config.ts';
import { takeServerLock } from '../../adapters/home/server-lock.ts';
import { serviceManager } from '../../adapters/service/service-manager.ts';
import { errorMessage } from '../../app/error-message.ts';
import type { Finding } from '../../contract/maintenance.ts';
import type { Health } from '../../contract/resources.ts';
import { getHealth } from '../../surfaces/cli/client/look-up.ts';
import { operatorClient } from '../../surfaces/cli/client/operator-client.ts';
import { VERSION } from '../version.ts';
import { readServiceState } from './change-service.ts';
import { error, note, ok, warning } from './finding.ts';
import type { MaintenanceContext } from './maintenance.ts';

export async function examineServer(context: MaintenanceContext): Promise<readonly Finding[]> {
  const server = await health(context);
  return [server.finding, await port(context, server.answers), await service(context)];
}

interface Seen {
  readonly finding: Finding;
  readonly answers: boolean;
}

/**
 * Tells the API client that the operator runs `baton doctor`. The caller is never an agent, because the command line
 * has already refused agents.
 */
export const operatorsOwn = () => ({ agent: undefined, isInTmux: false, processes: [] });

async function health({ home }: MaintenanceContext): Promise<Seen> {
  try {
    const { data } = await getHealth(operatorClient({ homePath: home.path, version: VERSION, shell: operatorsOwn }));
    return { answers: true, finding: judged(data) };
  } catch (fault) {
    if (!isLocked(home.lock))
      return { answers: false, finding: note('server', 'Baton is not running.', 'Start Baton: baton start') };
    const sentence = `Baton is running on this home, but does not answer: ${errorMessage(fault)}`;
    return {
      answers: false,
      finding: error('server', sentence, 'Stop Baton and start it again; see its log: baton logs'),
    };
  }
}

function judged({
  version,
  trouble,
  indexed_percent: indexed,
}: Pick<Health, 'version' | 'trouble' | 'indexed_percent'>): Finding {
  if (version !== VERSION)
    return warning(
      'server',
      `Baton ${version} is running, but this command is version ${VERSION}.`,
      'Restart Baton, so that both have the same version: baton service install, or stop Baton and run: baton start',
    );
  if (trouble.length > 0)
    return warning(
      'server',
      `Baton ${version} is running with problems: ${trouble.join(' ')}`,
      "See Baton's log: baton logs",
    );
  const filling = indexed === undefined ? '' : ` The search reads the older history: ${indexed} % can be found so far.`;
  return ok('server', `Baton ${version} is running.${filling}`);
}

function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    takeServerLock(path)();
    return false;
  } catch (fault) {
    return fault instanceof HomeFault;
  }
}

async function port({ home }: MaintenanceContext, isOurs: boolean): Promise<Finding> {
  const wanted = configuredPort(home.config);
  if (wanted === undefined || wanted === 0) return ok('port', 'Baton uses any free port.');
  if (isOurs) return ok('port', `The running Baton uses port ${wanted}.`);
  const problem = await whyNotFree(wanted);
  return problem === undefined
    ? ok('port', `Port ${wanted} is free.`)
    : error(
        'port',
        `Port ${wanted} is not available: ${problem}.`,
        'End the program that uses this port, or set another "port" in config.json (0 means any free port).',
      );
}

function configuredPort(path: string): number | undefined {
  try {
    return readConfig(path).port;
  } catch {
    return undefined;
  }
}

function whyNotFree(wanted: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (fault: NodeJS.ErrnoException) =>
      resolve(fault.code === 'EADDRINUSE' ? 'another program uses it' : fault.message),
    );
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function service(context: MaintenanceContext): Promise<Finding> {
  const manager = serviceManager(process.platform, context.env);
  if (manager === undefined) return note('service', `Baton supports no service manager on ${process.platform}.`);
  const { installed, current, state, advice } = await readServiceState(context, manager);
  if (!installed)
    return note(
      'service',
      'Baton is not installed as a service.',
      'To start Baton automatically: baton service install',
    );
  if (advice.length > 0)
    return warning('service', 'The service is installed, but the service manager does not answer.', advice.join(' '));
  if (!current)
    return warning(
      'service',
      'The service file was written by another version of Baton.',
      'Update it: baton service install',
    );
  return state === 'active'
    ? ok('service', 'The service is installed and running.')
    : error(
        'service',
        `The service is installed, but its state is ${state}.`,
        'See why: systemctl --user status baton, and baton logs',
      );
}
