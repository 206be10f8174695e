import { isClosed } from '../../adapters/home/open-home.ts';
import type { DoctorReport } from '../../contract/maintenance.ts';
import { VERSION } from '../version.ts';
import { examineAgents } from './examine-agents.ts';
import { examineFleet } from './examine-fleet.ts';
import { examineMachine } from './examine-machine.ts';
import { examineServer } from './examine-server.ts';
import { examineStore } from './examine-store.ts';
import { examineWorktrees } from './examine-worktrees.ts';
import type { MaintenanceContext } from './maintenance.ts';

/** Examines the home without changing it, whether a server runs or not. */
export async function examineHome(context: MaintenanceContext): Promise<DoctorReport> {
  const machine = await examineMachine(context);
  // Do not look into a home that cannot be read, because its files would seem to be missing or damaged.
  const inside = isClosed(context.home.path)
    ? []
    : [
        ...(await examineServer(context)),
        ...examineStore(context),
        ...(await examineWorktrees(context)),
        ...(await examineAgents(context)),
        ...(await examineFleet(context)),
      ];
  const findings = [...machine, ...inside];
  return {
    ok: findings.every(({ level }) => level !== 'error'),
    version: VERSION,
    home: context.home.path,
    findings,
  };
}
