import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import type { Store, Tx } from '../../src/app/ports/store.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { PackageState } from '../../src/domain/packages/record.ts';
import type { NewSearchEntry } from '../../src/domain/search/search-entry.ts';
import { aPackage } from '../adapters/stores/package-store-contract.ts';
import { anAgent, aRun } from '../adapters/stores/store-contract.ts';

const OLD = '2026-01-10T08:00:00.000Z' as Instant;
export const SECRET_WORDS = 'the-words-that-were-said';

export interface History {
  readonly home: string;
  readonly store: () => Store;
}

/**
 * Creates a home with history. Agent 1 handed over to agent 2, which has ended. Agent 3 handed over to agent 4, which
 * is alive. Agent 5 is in a run. Agent 6 ended without a handoff. Package 1 is completed. Package 2 is open, and its
 * receiver is agent 6.
 */
export async function homeWithHistory(): Promise<History> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'bk-')));
  for (const folder of [
    'documents',
    'agents/1',
    'agents/6',
    'data/personas/developer-con-1/handoffs',
    'data/templates',
  ])
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  const put = (path: string, text: string) => writeFileSync(join(home, path), text, { mode: 0o600 });
  put(
    'config.json',
    JSON.stringify({
      port: 0,
      notifications: { os: false, webhook: 'https://example.org/hush' },
      env: { SHOP_KEY: 'hush-hush' },
    }),
  );
  put('token', 'operator-token\n');
  put('secret', 'the-secret\n');
  put('data/personas/developer-con-1/skill.md', '# Skill\n');
  put('data/personas/developer-con-1/experience.md', '# Experience\n');
  put('data/templates/instruction.txt', 'mine\n');
  put('agents/1/launch.sh', 'export BATON_AGENT_TOKEN=hush\n');
  const open = () => openSqliteStore(join(home, 'baton.db'), () => 'host-1');
  const store = open();
  await store.write((tx) => fill(tx, put));
  store.close();
  // Move all data from the write-ahead log into the main file, so that a later read does not change the bytes of the
  // main file.
  const db = new Database(join(home, 'baton.db'));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return { home, store: open };
}

type Put = (path: string, text: string) => void;

function fill(tx: Tx, put: Put): void {
  tx.insertProject({ name: 'shop', path: '/p', createdAt: OLD });
  const { id: personaId } = tx.insertPersona(
    { role: 'developer', name: 'Con', status: 'active', createdAt: OLD },
    (id) => `developer-con-${id}`,
  );
  const ended = { personaId, state: 'ended', startedAt: OLD, lastSeenAt: OLD, endedAt: OLD } as const;
  tx.insertAgent(anAgent({ ...ended, lastPrompt: SECRET_WORDS }));
  tx.insertAgent(anAgent({ ...ended, previousAgentId: 1 }));
  tx.insertAgent(anAgent(ended));
  tx.insertAgent(anAgent({ personaId, previousAgentId: 3 }));
  tx.insertAgent(anAgent({ ...ended, state: 'lost', endedAt: null }));
  tx.insertAgent(anAgent(ended));
  handedOver(tx, put, { from: 1, to: 2 });
  handedOver(tx, put, { from: 3, to: 4 });
  tx.insertRun(aRun(5, { step: 'creating_successor' }));
  tx.savePromptText({
    ref: 'r-1',
    agentId: 1,
    runId: 1,
    purpose: 'instruction',
    text: SECRET_WORDS,
    outcome: null,
    at: null,
  });
  for (const agentId of [1, 2, 3, 4, 5, 6, null])
    tx.appendEvent({
      at: OLD,
      agentId,
      runId: null,
      type: 'agent_warning',
      data: { sentence: SECRET_WORDS },
      dedupeKey: `k${agentId}`,
    });
  packageIn(tx, 'HO-2026-001', 'completed', null);
  packageIn(tx, 'HO-2026-002', 'pending', 6);
  findable(tx, { key: 'prompt/1', agentId: 1, words: 'zebrawort' });
  findable(tx, { key: 'package/1', packageId: 'HO-2026-001', words: 'gnuwort' });
  findable(tx, { key: 'prompt/3', agentId: 3, words: 'lynxwort' });
}

function findable(tx: Tx, { words, ...entry }: { key: string; words: string } & Partial<NewSearchEntry>): void {
  const nowhere = { agentId: null, projectId: 1, runId: null, packageId: null, line: null, sha256: null } as const;
  tx.indexText({ ...nowhere, kind: 'prompt', at: OLD, personaIds: [1], text: words, ...entry }, new Set([words]));
}

const documentText = (agent: number): string => `# Handoff of agent ${agent}\n`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const keptDocument = (agent: number): string => `documents/${sha256(documentText(agent))}.md`;
export const ownDocument = (agent: number): string => `data/personas/developer-con-1/handoffs/agent-${agent}.md`;

function handedOver(tx: Tx, put: Put, { from, to }: { from: number; to: number }): void {
  const text = documentText(from);
  put(keptDocument(from), text);
  put(ownDocument(from), text);
  const filePath = ownDocument(from);
  const { id: handoffId } = tx.insertHandoff({
    agentId: from,
    reason: 'context_limit',
    filePath,
    injectionPrompt: 'Read it.',
    createdAt: OLD,
  });
  const document = {
    path: filePath,
    absolutePath: `/h/${filePath}`,
    sha256: sha256(text),
    bytes: text.length,
    markerFound: true,
  };
  tx.insertRun(aRun(from, { successorAgentId: to, step: 'completed', handoffId, document }));
}

/** Inserts a package as Baton does when it creates one: with an event that contains the whole row of the package. */
function packageIn(tx: Tx, id: string, state: PackageState, receiverAgentId: number | null): void {
  tx.nextPackageNumber(2026);
  const made = aPackage(id, {
    receiverAgentId,
    content: { from: { agent: 'a' }, to: { agent: 'b', reason: 'r' }, context: { summary: SECRET_WORDS } },
  });
  const record = { ...made.record, state };
  const event = tx.appendEvent({
    at: OLD,
    agentId: 1,
    runId: null,
    type: 'package_created',
    data: { packageId: id, record, changes: made },
    dedupeKey: null,
  });
  const seq = event?.seq ?? 0;
  tx.savePackage({ ...made, record, seq, overSeq: state === 'completed' ? seq : null });
  tx.packageWritten(id, seq);
}
