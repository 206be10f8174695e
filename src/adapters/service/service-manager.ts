import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { LABEL, launchdPlist, restOfPlist } from './launchd-plist.ts';
import { type ManagerAnswer, runManager } from './run-manager.ts';
import type { ServicePlan } from './service-plan.ts';
import { restOfUnit, systemdUnit, UNIT } from './systemd-unit.ts';

export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd';
  readonly file: string;
  readonly content: (plan: ServicePlan) => string;
  /** Returns a service file without its first lines, which contain the hash of the rest. */
  readonly restOf: (content: string) => string;
  readonly enable: readonly (readonly string[])[];
  readonly disable: readonly (readonly string[])[];
  /** Commands to run after the service file was deleted. */
  readonly forget: readonly (readonly string[])[];
  run(command: readonly string[]): Promise<ManagerAnswer>;
  /** Returns the reason why the service manager cannot be reached; undefined if it can be reached. */
  whyAbsent(): Promise<string | undefined>;
  /** Returns the service's state in the words of the service manager: active, inactive, failed. */
  state(): Promise<string>;
  /** Returns advice for the operator. It is shown after the service was started. */
  advice(): readonly string[];
}

export function serviceManager(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): ServiceManager | undefined {
  if (platform === 'darwin') return launchd(env);
  return platform === 'linux' ? systemd(env) : undefined;
}

function systemd(env: NodeJS.ProcessEnv): ServiceManager {
  const run = (command: readonly string[]) => runManager(env, command);
  const ctl = (...words: string[]): readonly string[] => ['systemctl', '--user', ...words];
  const settings = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return {
    kind: 'systemd',
    file: join(settings, 'systemd/user', UNIT),
    content: systemdUnit,
    restOf: restOfUnit,
    // `restart` makes a running service use the changed unit file, and starts a service that does not run.
    enable: [ctl('daemon-reload'), ctl('enable', UNIT), ctl('restart', UNIT)],
    disable: [ctl('disable', '--now', UNIT)],
    forget: [ctl('daemon-reload')],
    run,
    whyAbsent: async () => {
      const { ok, output } = await run(ctl('show-environment'));
      return ok ? undefined : output;
    },
    state: async () => {
      const { output } = await run(ctl('is-active', UNIT));
      return /^[a-z-]+$/.test(output) ? output : 'unknown';
    },
    advice: () => lingering(userInfo().username),
  };
}

function lingering(user: string): readonly string[] {
  if (existsSync(join('/var/lib/systemd/linger', user))) return [];
  return [
    `The service stops when you log out and starts when you log in. To keep the service running: loginctl enable-linger ${user}`,
  ];
}

function launchd(env: NodeJS.ProcessEnv): ServiceManager {
  const run = (command: readonly string[]) => runManager(env, command);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const file = join(env.HOME || homedir(), 'Library/LaunchAgents', `${LABEL}.plist`);
  return {
    kind: 'launchd',
    file,
    content: launchdPlist,
    restOf: restOfPlist,
    enable: [['launchctl', 'bootstrap', domain, file]],
    disable: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    forget: [],
    run,
    whyAbsent: async () => {
      const { ok, output } = await run(['launchctl', 'print', domain]);
      return ok ? undefined : output;
    },
    state: async () => {
      const { ok, output } = await run(['launchctl', 'print', `${domain}/${LABEL}`]);
      if (!ok) return 'inactive';
      return /\bstate = running\b/.test(output) ? 'active' : 'inactive';
    },
    advice: () => [],
  };
}
