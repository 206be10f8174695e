import { isClosed } from '../../adapters/home/open-home.ts';
import type { DoctorReport } from '../../contract/maintenance.ts';
import { VERSION } from '../version.ts';
import { examineAgents } from './examine-agents.ts';
import { examineMachine } from './examine-machine.ts';
import { examineServer } from './examine-server.ts';
import { examineStore } from './examine-store.ts';
import { examineWorktrees } from './examine-worktrees.ts';
import type { Keeper } from './maintenance.ts';

/** Read-only; works with or without a running server. */
export async function examineHome(keeper: Keeper): Promise<DoctorReport> {
  const machine = await examineMachine(keeper);
  // An unreadable home is skipped, so that it is not reported as damaged.
  const inside = isClosed(keeper.home.path)
    ? []
    : [
        ...(await examineServer(keeper)),
        ...examineStore(keeper),
        ...(await examineWorktrees(keeper)),
        ...(await examineAgents(keeper)),
      ];
  const findings = [...machine, ...inside];
  return {
    ok: findings.every(({ level }) => level !== 'error'),
    version: VERSION,
    home: keeper.home.path,
    findings,
  };
}
