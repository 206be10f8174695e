import { existsSync, statSync } from 'node:fs';
import { explainConfig } from '../../adapters/home/explain-config.ts';
import { isClosed } from '../../adapters/home/open-home.ts';
import { refuseStart } from '../../adapters/home/refuse-start.ts';
import { diskRoom } from '../../adapters/system/disk-room.ts';
import { probeVersion } from '../../adapters/tmux/connection/probe-version.ts';
import { errorMessage } from '../../app/error-message.ts';
import type { Finding } from '../../contract/maintenance.ts';
import { assessDiskRoom, roomInWords } from '../../domain/maintenance/disk-room.ts';
import { error, note, ok, warning } from './finding.ts';
import type { MaintenanceContext } from './maintenance.ts';

const OLDEST_NODE = [20, 19] as const;

export async function examineMachine(context: MaintenanceContext): Promise<readonly Finding[]> {
  const { home } = context;
  const around = [nodeVersion(process.versions.node), await tmux(context), folder(home.path, context.env)];
  if (isClosed(home.path)) return around;
  return [
    ...around,
    ...secrets([home.token, home.secret]),
    config(home.config),
    ...(existsSync(home.path) ? [await disk(home.path)] : []),
  ];
}

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return isOld
    ? error(
        'node',
        `Node ${version} is too old for Baton.`,
        `Install Node ${OLDEST_NODE.join('.')} or newer; 24 is best.`,
      )
    : ok('node', `Node ${version} (${process.execPath})`);
}

async function tmux({ env }: MaintenanceContext): Promise<Finding> {
  try {
    return ok('tmux', await probeVersion({ binary: 'tmux', env, timeoutMs: 10_000 }));
  } catch (fault) {
    return error(
      'tmux',
      `${errorMessage(fault)}.`,
      'Agents run in tmux. Install tmux 3.2 or newer, for example with: sudo apt install tmux   or: brew install tmux',
    );
  }
}

function folder(path: string, env: NodeJS.ProcessEnv): Finding {
  try {
    refuseStart(path, env);
  } catch (fault) {
    return error('home', errorMessage(fault), 'Baton cannot start until you fix the folder.');
  }
  return existsSync(path)
    ? ok('home', `${path} exists and is private.`)
    : note('home', `${path} does not exist yet.`, 'Baton creates the folder at its first start: baton start');
}

function secrets(files: readonly string[]): readonly Finding[] {
  return files
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
    .map((file) =>
      error('secrets', `${file} can be read by others.`, `Delete it; Baton then creates a new one: rm ${file}`),
    );
}

function config(path: string): Finding {
  const { exists, problem } = explainConfig(path);
  if (problem !== null)
    return error(
      'config',
      problem,
      'Fix or remove that key. To see all keys with their meaning: baton config --explain',
    );
  return ok('config', exists ? `${path} is valid.` : 'There is no config.json; all defaults apply.');
}

async function disk(path: string): Promise<Finding> {
  const room = await diskRoom(path);
  const sentence = `${roomInWords(room)}.`;
  const remedy = 'Free disk space there; to delete old history of Baton: baton purge --older-than 90d';
  const verdict = assessDiskRoom(room);
  if (verdict === 'too_little') return error('disk', sentence, remedy);
  return verdict === 'little' ? warning('disk', sentence, remedy) : ok('disk', sentence);
}
