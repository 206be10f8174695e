import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { stringify } from 'yaml';
import { openSqliteStore } from '../../adapters/stores/sqlite/sqlite-store.ts';
import { copyDatabase } from '../../adapters/stores/sqlite/upkeep/copy-database.ts';
import { refuseDamaged } from '../../adapters/stores/sqlite/upkeep/refuse-damaged.ts';
import type { Tx } from '../../app/ports/store.ts';
import type { ExportReport } from '../../contract/maintenance.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { errnoWordsWithPath } from '../../surfaces/cli/output/errno-words.ts';
import { fault, type MaintenanceContext, refuseMissingStore, settled } from './maintenance.ts';

const EVERY = 1_000_000_000;
const PAGE = 1_000;

/** Exports the data, without tokens and secrets, for people and other programs. Baton cannot read an export back. */
export async function exportHome(context: MaintenanceContext, wanted: string): Promise<ExportReport> {
  await settled(context);
  refuseMissingStore(context);
  const folder = resolve(wanted);
  if (existsSync(folder))
    throw fault(`${folder} already exists, and an export never overwrites files. Name a new folder.`, 'exists');
  const unfinished = `${folder}.unfinished`;
  const copy = join(context.home.path, `export-${randomBytes(4).toString('hex')}.tmp`);
  try {
    refuseDamaged(context.home.database);
    copyDatabase(context.home.database, copy);
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { mode: 0o700 });
    const counts = await writeAll(context, copy, unfinished);
    renameSync(unfinished, folder);
    return { folder, ...counts };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw fault(`Nothing was exported: ${errnoWordsWithPath(error)}`, 'export_failed');
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${ending}`, { force: true });
  }
}

async function writeAll(
  { home }: MaintenanceContext,
  copy: string,
  folder: string,
): Promise<Omit<ExportReport, 'folder'>> {
  const store = openSqliteStore(copy, () => 'export');
  const tx = store.read((given) => given);
  try {
    const writer = createWriter(folder);
    const documents = writeHandoffs(tx, writer, home.path);
    for (const { slug, ...persona } of tx.personas()) {
      writer.json(`personas/${slug}/persona.json`, { slug, ...persona });
      for (const name of ['skill.md', 'experience.md'])
        writer.copy(join(home.path, 'data/personas', slug, name), `personas/${slug}/${name}`);
    }
    writer.json('projects.json', tx.projects());
    writer.json('lineage.json', lineage(tx));
    const packages = tx.packages({});
    for (const stored of packages) writer.text(`packages/${stored.record.id}.yaml`, yaml(stored));
    return {
      personas: tx.personas().length,
      handoffs: tx.handoffs({ limit: EVERY }).length,
      documents,
      packages: packages.length,
      events: await writeEvents(tx, join(folder, 'events.jsonl')),
    };
  } finally {
    store.close();
  }
}

const yaml = (value: unknown): string => stringify(value, { version: '1.2', aliasDuplicateObjects: false });

function writeHandoffs(tx: Tx, writer: Writer, home: string): number {
  const runOf = new Map(tx.runs({ limit: EVERY }).map((run) => [run.handoffId, run]));
  let documents = 0;
  for (const handoff of tx.handoffs({ limit: EVERY })) {
    const run = runOf.get(handoff.id);
    const place = `handoffs/${String(handoff.id).padStart(4, '0')}-agent-${handoff.agentId}`;
    writer.json(`${place}/handoff.json`, { ...handoff, run: run === undefined ? null : shownRun(run) });
    const kept = run?.document?.sha256 ? join(home, 'documents', `${run.document.sha256}.md`) : undefined;
    if (kept !== undefined && writer.copy(kept, `${place}/document.md`)) documents += 1;
  }
  return documents;
}

/**
 * Removes the end token from a run. The token proves that an agent has read the document, so it must not be anywhere
 * else.
 */
const shownRun = ({ endToken: _, ...run }: Run) => run;

function lineage(tx: Tx) {
  return tx
    .agents()
    .map(({ id, sessionUuid, runtime, projectId, personaId, previousAgentId, state, startedAt, endedAt }) => ({
      id,
      sessionUuid,
      runtime,
      projectId,
      persona: personaId === null ? null : (tx.personaById(personaId)?.slug ?? null),
      previousAgentId,
      state,
      startedAt,
      endedAt,
    }));
}

async function writeEvents(tx: Tx, path: string): Promise<number> {
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let count = 0;
  for (let page = tx.eventsAfter(0, PAGE); page.length > 0; page = tx.eventsAfter(page.at(-1)?.seq ?? 0, PAGE)) {
    count += page.length;
    if (!output.write(page.map((event) => `${JSON.stringify(event)}\n`).join(''))) await once(output, 'drain');
  }
  output.end();
  await finished(output);
  return count;
}

interface Writer {
  text(path: string, content: string): void;
  json(path: string, value: unknown): void;
  /** Copies a file; returns false if the source does not exist. */
  copy(from: string, path: string): boolean;
}

function createWriter(folder: string): Writer {
  const text = (path: string, content: string | Buffer): void => {
    const target = join(folder, path);
    mkdirSync(join(target, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(target, content, { flag: 'wx', mode: 0o600 });
  };
  return {
    text,
    json: (path, value) => text(path, `${JSON.stringify(value, null, 2)}\n`),
    copy: (from, path) => {
      if (!existsSync(from)) return false;
      text(path, readFileSync(from));
      return true;
    },
  };
}
