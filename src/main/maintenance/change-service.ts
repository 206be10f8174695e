import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWholeFile } from '../../adapters/files/write-whole-file.ts';
import { openHome } from '../../adapters/home/open-home.ts';
import { takeServerLock } from '../../adapters/home/server-lock.ts';
import { type ServiceManager, serviceManager } from '../../adapters/service/service-manager.ts';
import { ownerOf, serviceEnv } from '../../adapters/service/service-plan.ts';
import type { ServiceReport } from '../../contract/maintenance.ts';
import type { ServiceRequest } from '../../surfaces/cli/maintenance-deps.ts';
import { fault, type MaintenanceContext } from './maintenance.ts';

export async function changeService(
  context: MaintenanceContext,
  { wish, dryRun }: ServiceRequest,
): Promise<ServiceReport> {
  const manager = serviceManager(process.platform, context.env);
  if (manager === undefined)
    throw fault(
      `Baton supports no service manager on ${process.platform}. Configure yours to run: baton start`,
      'unsupported',
    );
  const seen = await readServiceState(context, manager);
  if (wish === 'status') return seen;
  return wish === 'install' ? install(context, manager, { seen, dryRun }) : uninstall(manager, { seen, dryRun });
}

interface Looked {
  readonly seen: ServiceReport;
  readonly dryRun: boolean;
}

export async function readServiceState(context: MaintenanceContext, manager: ServiceManager): Promise<ServiceReport> {
  const found = contentOf(manager.file);
  const why = await manager.whyAbsent();
  return {
    manager: manager.kind,
    file: manager.file,
    installed: found !== undefined,
    current: found !== undefined && lasting(found) === lasting(wanted(context, manager)),
    state: why === undefined ? await manager.state() : 'unknown',
    changed: false,
    dry_run: false,
    content: null,
    commands: [],
    advice: why === undefined ? [] : [absent(manager, why)],
  };
}

/**
 * Returns the content of a service file without the lines that differ between shells, such as PATH. A difference in
 * these lines alone does not make the service outdated.
 */
const lasting = (content: string): string =>
  content
    .split('\n')
    .filter((line) => !/Written by|\b(PATH|LANG|LC_ALL|LC_CTYPE)\b/.test(line))
    .join('\n');

const wanted = ({ self, env, home }: MaintenanceContext, manager: ServiceManager): string =>
  manager.content({ argv: self, env: serviceEnv(env, home.path), homePath: home.path });

async function install(
  context: MaintenanceContext,
  manager: ServiceManager,
  { seen, dryRun }: Looked,
): Promise<ServiceReport> {
  refusePassing(context);
  refuseForeign(manager, 'so nothing was installed');
  const content = wanted(context, manager);
  const isSame = contentOf(manager.file) === content;
  const isDone = isSame && seen.state === 'active';
  const replaced = seen.installed && manager.kind === 'launchd' ? manager.disable : [];
  const commands = isDone ? [] : [...replaced, ...manager.enable];
  if (dryRun) return { ...seen, dry_run: true, content: isSame ? null : content, commands: commands.map(asLine) };
  const why = await manager.whyAbsent();
  if (why !== undefined) throw fault(`${absent(manager, why)} No service was installed.`, 'no_service_manager');
  if (isDone) return { ...seen, advice: [...manager.advice()] };
  if (seen.state !== 'active') refuseRunning(context);
  if (!isSame) {
    mkdirSync(dirname(manager.file), { recursive: true, mode: 0o700 });
    await writeWholeFile(manager.file, content, 0o600);
  }
  // Ignore failures here: these commands unload an earlier version of the service, and fail if none is loaded.
  for (const command of replaced) await manager.run(command);
  for (const command of isDone ? [] : manager.enable) await must(manager, command);
  const state = await manager.state();
  const advice = [
    ...manager.advice(),
    ...(state === 'active' ? [] : [`The state of the service is still ${state}. Check again: baton service status`]),
  ];
  return { ...seen, installed: true, current: true, state, changed: true, commands: commands.map(asLine), advice };
}

async function uninstall(manager: ServiceManager, { seen, dryRun }: Looked): Promise<ServiceReport> {
  if (!seen.installed) return { ...seen, dry_run: dryRun };
  refuseForeign(manager, 'so the file was not removed');
  const commands = [...manager.disable, ...manager.forget];
  if (dryRun) return { ...seen, dry_run: true, commands: commands.map(asLine) };
  // If the service manager does not answer, none of its services runs. The service file can then be removed without
  // asking the service manager.
  const isThere = (await manager.whyAbsent()) === undefined;
  if (isThere) for (const command of manager.disable) await must(manager, command);
  rmSync(manager.file);
  if (isThere) for (const command of manager.forget) await must(manager, command);
  const advice = ['Agents keep running, and the home is kept. Start Baton yourself with: baton start'];
  return {
    ...seen,
    installed: false,
    current: false,
    state: 'inactive',
    changed: true,
    commands: commands.map(asLine),
    advice,
  };
}

async function must(manager: ServiceManager, command: readonly string[]): Promise<void> {
  const { ok, output } = await manager.run(command);
  if (!ok)
    throw fault(`"${asLine(command)}" failed: ${output}. The service file is ${manager.file}.`, 'service_failed');
}

const asLine = (command: readonly string[]): string => command.join(' ');

function absent({ kind }: ServiceManager, why: string): string {
  const said = why.replace(/\s+/g, ' ').replace(/\.$/, '');
  return kind === 'systemd'
    ? `systemd does not answer for this user (${said}). In a container, start "baton start" from the container's own init or supervisor; after su or sudo, log in as this user directly (ssh, or machinectl shell).`
    : `launchd does not answer for this user (${said}). Log in to the desktop as this user, then try again.`;
}

function contentOf(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isFile() ? readFileSync(file, 'utf8') : '';
}

/**
 * Throws if the service file was not written by Baton or was changed later. Only an unchanged file of Baton may be
 * replaced or removed.
 */
function refuseForeign({ file, restOf }: ServiceManager, consequence: string): void {
  const content = contentOf(file);
  if (content === undefined) return;
  const owner = ownerOf(content, restOf);
  if (owner === 'ours') return;
  const what = owner === 'changed' ? 'was changed since Baton wrote it' : 'was not written by Baton';
  throw fault(`${file} ${what}, ${consequence}. Move the file away, then try again.`, 'foreign_file');
}

/**
 * Throws if npx runs this Baton, because npx may delete the program later, and then the service would fail silently.
 */
function refusePassing({ self }: MaintenanceContext): void {
  if (self.some((word) => word.includes('/_npx/')))
    throw fault(
      'npx fetched this Baton for one run only, so a service cannot use it. Install Baton first: npm install -g, with the name or file that you gave to npx',
      'not_installed',
    );
}

function refuseRunning({ home }: MaintenanceContext): void {
  try {
    openHome(home.path);
    takeServerLock(home.lock)();
  } catch (error) {
    throw fault(`No service was installed: ${(error as Error).message}`, 'running');
  }
}
