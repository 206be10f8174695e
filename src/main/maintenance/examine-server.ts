import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { HomeFault } from '../../adapters/home/home-fault.ts';
import { readConfig } from '../../adapters/home/read-config.ts';
import { takeServerLock } from '../../adapters/home/server-lock.ts';
import { serviceManager } from '../../adapters/service/service-manager.ts';
import { errorMessage } from '../../app/error-message.ts';
import type { Finding } from '../../contract/maintenance.ts';
import { getHealth } from '../../surfaces/cli/client/look-up.ts';
import { operatorClient } from '../../surfaces/cli/client/operator-client.ts';
import { VERSION } from '../version.ts';
import { readServiceState } from './change-service.ts';
import { error, note, ok, warning } from './finding.ts';
import type { Keeper } from './maintenance.ts';

export async function examineServer(keeper: Keeper): Promise<readonly Finding[]> {
  const server = await health(keeper);
  return [server.finding, await port(keeper, server.answers), await service(keeper)];
}

interface Seen {
  readonly finding: Finding;
  readonly answers: boolean;
}

/** Skips the check for an agent's shell, which already ran before this command. */
const operatorsOwn = () => ({ agent: undefined, isInTmux: false, processes: [] });

async function health({ home }: Keeper): Promise<Seen> {
  try {
    const { data } = await getHealth(operatorClient({ homePath: home.path, version: VERSION, shell: operatorsOwn }));
    return { answers: true, finding: judged(data) };
  } catch (fault) {
    if (!isLocked(home.lock))
      return { answers: false, finding: note('server', 'Baton does not run.', 'Start it: baton start') };
    const sentence = `A Baton runs on this home and does not answer: ${errorMessage(fault)}`;
    return {
      answers: false,
      finding: error('server', sentence, 'Stop it and start it again; its last words: baton logs'),
    };
  }
}

function judged({ version, trouble }: { readonly version: string; readonly trouble: readonly string[] }): Finding {
  if (version !== VERSION)
    return warning(
      'server',
      `Baton ${version} runs, and this command is of ${VERSION}.`,
      'Start it again, so that both are the same: baton service install, or stop it and: baton start',
    );
  if (trouble.length > 0)
    return warning('server', `Baton ${version} runs in trouble: ${trouble.join(' ')}`, 'See what it says: baton logs');
  return ok('server', `Baton ${version} runs.`);
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

async function port({ home }: Keeper, isOurs: boolean): Promise<Finding> {
  const wanted = configuredPort(home.config);
  if (wanted === undefined || wanted === 0) return ok('port', 'Any free port is taken.');
  if (isOurs) return ok('port', `Port ${wanted} is for the Baton that runs.`);
  const problem = await whyNotFree(wanted);
  return problem === undefined
    ? ok('port', `Port ${wanted} is free.`)
    : error(
        'port',
        `Port ${wanted} cannot be had: ${problem}.`,
        'End what has it, or set another "port" in config.json (0 is any free one).',
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
      resolve(fault.code === 'EADDRINUSE' ? 'another program has it' : fault.message),
    );
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function service(keeper: Keeper): Promise<Finding> {
  const manager = serviceManager(process.platform, keeper.env);
  if (manager === undefined)
    return note('service', `There is no service manager that Baton knows on ${process.platform}.`);
  const { installed, current, state, advice } = await readServiceState(keeper, manager);
  if (!installed)
    return note(
      'service',
      'Baton is not installed as a service.',
      'If your system is to start it by itself: baton service install',
    );
  if (advice.length > 0)
    return warning('service', 'The service is installed, and its manager does not answer.', advice.join(' '));
  if (!current)
    return warning('service', 'The service file is of another Baton.', 'Bring it up to date: baton service install');
  return state === 'active'
    ? ok('service', 'The service is installed and runs.')
    : error(
        'service',
        `The service is installed and ${state}.`,
        'See why: systemctl --user status baton, and baton logs',
      );
}
