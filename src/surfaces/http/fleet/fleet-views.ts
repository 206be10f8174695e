import type { FleetStanding } from '../../../app/fleet/fleet-control.ts';
import type { HeardMachine, ListedMachine } from '../../../app/fleet/list-machines.ts';
import type { FleetViews } from '../../../app/fleet/publish-state.ts';
import type * as contract from '../../../contract/fleet.ts';
import { agentRelations } from '../agents/agent-relations.ts';
import { viewAgent, viewInboxItem } from '../agents/views.ts';
import { showRuns } from '../handoffs/handoff-routes.ts';
import { aboutItem } from '../inbox/inbox-routes.ts';
import { viewPackageRow } from '../packages/package-views.ts';
import type { HttpDeps } from '../server/route.ts';

/**
 * The number of the newest agents, runs and packages that other machines see, even ended ones. Other machines see an
 * older object only while it is live or in flight.
 */
const NEWEST = 50;

/** Returns the objects of this machine that other machines see, in the format of the API. */
export const createFleetViews = (deps: () => HttpDeps): FleetViews => ({
  current: () => {
    const { ports } = deps();
    const around = agentRelations(deps());
    const showRun = showRuns(deps());
    return ports.store.read((tx) => [
      ...unique([...tx.agents({ limit: NEWEST }), ...tx.liveAgents()], ({ id }) => String(id)).map(([id, agent]) => ({
        kind: 'agent' as const,
        id,
        body: viewAgent(agent, around),
      })),
      ...unique([...tx.runs({ limit: NEWEST }), ...tx.runsInFlight()], ({ id }) => String(id)).map(([id, run]) => ({
        kind: 'run' as const,
        id,
        body: showRun(run),
      })),
      ...tx.openInboxItems().map((item) => ({
        kind: 'item' as const,
        id: String(item.id),
        body: viewInboxItem(item, aboutItem(tx, item)),
      })),
      ...unique(
        [...tx.packages({ limit: NEWEST }), ...tx.packages({ inFlight: true, limit: 10 * NEWEST })],
        ({ record }) => record.id,
      ).map(([id, stored]) => ({ kind: 'package' as const, id, body: viewPackageRow(stored) })),
    ]);
  },
});

const unique = <T>(rows: readonly T[], idOf: (row: T) => string): readonly (readonly [string, T])[] => [
  ...new Map(rows.map((row) => [idOf(row), row])),
];

export const viewHeard = (heard: HeardMachine): contract.Heard => ({
  machine: heard.name,
  presence: heard.presence,
  live: heard.isLive,
  last_heard_at: heard.lastHeardAt,
  age_ms: heard.ageMs,
  log_position: heard.position,
});

/** The numbers of live agents, handoff runs in flight, open inbox items and open packages of a machine. */
export interface MachineCounts {
  readonly live_agents: number;
  readonly runs_in_flight: number;
  readonly needs: number;
  readonly packages_open: number;
}

export const viewMachine = (machine: ListedMachine, counts: MachineCounts, own: OwnFacts): contract.Machine => ({
  name: machine.name,
  role: machine.role,
  is_self: machine.isSelf,
  is_hub: machine.isHub,
  presence: machine.presence,
  live: machine.isLive,
  last_heard_at: machine.lastHeardAt,
  age_ms: machine.ageMs,
  log_position: machine.position,
  log_end: machine.isSelf ? machine.position : (machine.report?.log_end ?? null),
  version: machine.isSelf ? own.version : (machine.report?.version ?? null),
  takes_commands: machine.isSelf ? own.takesCommands : (machine.report?.takes_commands ?? null),
  ...counts,
});

interface OwnFacts {
  readonly version: string;
  readonly takesCommands: boolean;
}

export const viewStanding = (
  standing: FleetStanding,
  founderName: string | undefined,
  logEnd: number,
): contract.FleetStatus => {
  const { membership, role, isConnected, takesCommands, forwarded, offsetMs, problem } = standing;
  return {
    joined: membership !== undefined,
    machine: membership?.machine ?? null,
    role: role ?? null,
    is_hub: membership !== undefined && membership.machine === founderName,
    address: membership === undefined ? null : `${membership.hub.host}:${membership.hub.port}`,
    connected: isConnected,
    encrypted: membership === undefined ? null : membership.hub.certificate !== null,
    takes_commands: takesCommands,
    forwarded: forwarded ?? null,
    log_end: logEnd,
    hub_clock_ms: offsetMs === undefined ? null : Math.round(offsetMs),
    problem: problem === undefined ? null : { code: problem.code, sentence: problem.sentence, hint: problem.hint },
  };
};
