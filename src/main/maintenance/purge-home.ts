import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  openForPurge,
  openPurgedFiles,
  openToLook,
  type PurgeStore,
} from '../../adapters/stores/sqlite/upkeep/purge-history.ts';
import type { PurgePlan, PurgeScope } from '../../adapters/stores/sqlite/upkeep/purge-plan.ts';
import type { PurgeReport } from '../../contract/maintenance.ts';
import type { Instant } from '../../domain/instant.ts';
import { CliFault, EXIT } from '../../surfaces/cli/cli-fault.ts';
import type { PurgeRequest } from '../../surfaces/cli/maintenance-deps.ts';
import { alone, fault, isServed, type MaintenanceContext, refuseMissingStore } from './maintenance.ts';

const DAY_MS = 86_400_000;

export async function purgeHome(context: MaintenanceContext, request: PurgeRequest): Promise<PurgeReport> {
  const scope = scopeOf(request);
  refuseMissingStore(context);
  const documentsOf = (plan: PurgePlan) => (request.documents ? documents(context, plan, scope) : []);
  const beside = !request.yes && isServed(context) ? openToLook(context.home.database) : undefined;
  if (beside !== undefined) {
    try {
      const looked = known(beside.look(scope), request);
      return report(looked, documentsOf(looked), false);
    } finally {
      beside.close();
    }
  }
  return alone(context, 'nothing was purged', () => {
    const store = openForPurge(context.home.database);
    try {
      removeFiles(context, store);
      const filesOf = (plan: PurgePlan) => [...ownFiles(context, plan), ...documentsOf(plan)];
      const looked = known(store.look(scope), request);
      const toGo = documentsOf(looked);
      if (request.yes) {
        const { checkpoint } = context;
        store.purge({ scope, at: new Date().toISOString() as Instant, filesOf, checkpoint });
        removeFiles(context, store);
      }
      return report(looked, toGo, request.yes);
    } finally {
      store.close();
    }
  });
}

/** Throws if the agent or persona does not exist, because a mistyped name must not look like a finished purge. */
function known(plan: PurgePlan, { agent, persona }: PurgeRequest): PurgePlan {
  if (plan.unknown === undefined) return plan;
  const [name, list] = plan.unknown === 'agent' ? [agent, 'agent list --all'] : [persona, 'persona list'];
  throw fault(`There is no ${plan.unknown} ${name}, so nothing was purged. See the list: baton ${list}`, 'not_found');
}

/**
 * Removes the files of an interrupted purge whose database part is already committed. Also called when the server
 * starts.
 */
export function finishPurge({ home, checkpoint }: Pick<MaintenanceContext, 'home' | 'checkpoint'>): void {
  const store = openPurgedFiles(home.database);
  try {
    removeFiles({ home, checkpoint }, store);
  } finally {
    store.close();
  }
}

type FilesToGo = Pick<PurgeStore, 'filesToGo' | 'filesGone'>;

function removeFiles({ home, checkpoint }: Pick<MaintenanceContext, 'home' | 'checkpoint'>, store: FilesToGo): void {
  const files = store.filesToGo();
  if (files.length === 0) return;
  for (const file of files) {
    rmSync(join(home.path, file), { recursive: true, force: true });
    checkpoint('purge:file');
  }
  store.filesGone();
}

function scopeOf({ olderThanDays, agent, persona, all }: PurgeRequest): PurgeScope {
  const chosen = [agent, persona, olderThanDays, all ? true : undefined].filter((each) => each !== undefined);
  if (chosen.length === 0 || (all && chosen.length > 1))
    throw new CliFault('Say what to purge: --older-than 90d, --agent ID, --persona SLUG (also combined), or --all.', {
      code: 'usage',
      exitCode: EXIT.usage,
    });
  return {
    ...(olderThanDays === undefined ? {} : { before: new Date(Date.now() - olderThanDays * DAY_MS).toISOString() }),
    ...(agent === undefined ? {} : { agent }),
    ...(persona === undefined ? {} : { persona }),
  };
}

/** Returns the launch folders of purged agents, and the state files of projects that have no packages left. */
function ownFiles({ home }: MaintenanceContext, { agents, emptiedProjects }: PurgePlan): string[] {
  const states = namesIn(join(home.path, 'data/projects'))
    .filter((name) => emptiedProjects.some((id) => name.endsWith(`-${id}`)))
    .map((name) => `data/projects/${name}/state/current.json`);
  return [...agents.map((id) => `agents/${id}`), ...states];
}

/**
 * Returns the documents of purged runs. If the purge is not limited to an agent or a persona, also returns the
 * documents that belong to no run.
 */
function documents(
  { home }: MaintenanceContext,
  { runs, runsLeft }: PurgePlan,
  { before, agent, persona }: PurgeScope,
): string[] {
  const needed = new Set(runsLeft.flatMap((run) => placesOf(run.document)));
  const own = runs.flatMap((run) => placesOf(run.document));
  const everything = agent === undefined && persona === undefined ? allDocuments(home.path, before) : [];
  return [...new Set([...own, ...everything])]
    .filter((path) => !needed.has(path) && existsSync(join(home.path, path)))
    .sort();
}

function placesOf(document: { readonly path: string; readonly sha256: string | null } | null): string[] {
  if (document === null) return [];
  return [document.path, ...(document.sha256 === null ? [] : [`documents/${document.sha256}.md`])];
}

function allDocuments(home: string, before: string | undefined): string[] {
  const personas = namesIn(join(home, 'data/personas')).map((slug) => `data/personas/${slug}/handoffs`);
  return ['documents', ...personas]
    .flatMap((folder) => namesIn(join(home, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.md'))
    .filter((path) => before === undefined || statSync(join(home, path)).mtime.toISOString() < before);
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

const report = (plan: PurgePlan, toGo: readonly string[], done: boolean): PurgeReport => ({
  done,
  agents: [...plan.agents],
  runs: plan.runs.length,
  packages: [...plan.packages],
  events: plan.events.length,
  documents: [...toGo],
  kept: [...plan.kept],
});
