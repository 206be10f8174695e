import { homedir } from 'node:os';
import { join } from 'node:path';
import { explainConfig } from '../../adapters/home/explain-config.ts';
import { layout, refuseUnusablePath } from '../../adapters/home/open-home.ts';
import { realPath } from '../../adapters/home/real-path.ts';
import { crashPoint } from '../../adapters/system/crash-point.ts';
import { CliFault } from '../../surfaces/cli/cli-fault.ts';
import type { MaintenanceDeps } from '../../surfaces/cli/maintenance-deps.ts';
import { changeService } from './change-service.ts';
import { examineHome } from './examine-home.ts';
import { exportHome } from './export-home.ts';
import type { MaintenanceContext } from './maintenance.ts';
import { makeBackup } from './make-backup.ts';
import { purgeHome } from './purge-home.ts';
import { restoreBackup } from './restore-backup.ts';

interface Surroundings {
  readonly homePath: string;
  readonly self: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Returns whether this home was chosen by BATON_HOME or is the default home. If BATON_HOME names ~/.baton, the home
 * still counts as the default home, because the command in `<home>/bin` itself sets BATON_HOME.
 */
export const homeFrom = (homePath: string, { BATON_HOME: given }: NodeJS.ProcessEnv): 'BATON_HOME' | 'default' =>
  !given || homePath === realPath(join(homedir(), '.baton')) ? 'default' : 'BATON_HOME';

/** Provides the commands that work on the home itself, without a server. */
export function maintainHome({ homePath, self, env }: Surroundings): MaintenanceDeps {
  // Make all new files readable only for the operator.
  process.umask(0o077);
  try {
    refuseUnusablePath(homePath);
  } catch (error) {
    throw new CliFault((error as Error).message, { code: 'bad_home' });
  }
  const context: MaintenanceContext = { home: layout(homePath), self, env, checkpoint: crashPoint(env.BATON_CRASH_AT) };
  return {
    explainConfig: () => {
      const { keys, ...rest } = explainConfig(context.home.config);
      return { ...rest, home_from: homeFrom(homePath, env), keys: [...keys] };
    },
    service: (wanted) => changeService(context, wanted),
    backup: (wanted) => makeBackup(context, wanted),
    restore: (wanted) => restoreBackup(context, wanted),
    exportTo: (folder) => exportHome(context, folder),
    purge: (wanted) => purgeHome(context, wanted),
    doctor: () => examineHome(context),
  };
}
