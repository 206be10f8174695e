import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentFiles } from '../../src/adapters/files/agent-files.ts';
import { openHome } from '../../src/adapters/home/open-home.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { openForPurge } from '../../src/adapters/stores/sqlite/upkeep/purge-history.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { Store } from '../../src/app/ports/store.ts';
import { indexText } from '../../src/app/search/index-texts.ts';
import { type Instant, instantFromMs } from '../../src/domain/instant.ts';
import { anAgent } from '../../test/adapters/stores/store-contract.ts';
import { SimWorld } from '../../test/app/engine/sim-world.ts';
import { ApiInProcess } from '../../test/surfaces/http/api-in-process.ts';

/** A secret that one document contains. The secret looks like an access token. */
export const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

const PERSONAS = 20;
const BEGAN = Date.parse('2026-01-01T00:00:00Z');
const YEAR_MS = 365 * 86_400_000;
/** How many documents one transaction adds while the bench fills the store. */
const BATCH = 500;

/** The API's search over a store with many handoff documents. Documents are files, as in a real home. */
export interface Library {
  readonly bytes: number;
  search(query: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly hits: number }>;
  /** The size of the store in bytes. The store contains only the entries of the documents and the search index. */
  indexBytes(): number;
  /**
   * Returns, in milliseconds, the CPU time of the longest read of the store. Considers only reads since the previous
   * call of this function.
   */
  longestRead(): number;
  /** Purges all agents with their texts. Returns how many of these texts the search still finds. */
  purge(): Promise<number>;
  end(): Promise<void>;
}

export async function openLibrary(documents: number, say: (line: string) => void): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-library-'));
  const home = openHome(join(folder, 'home'));
  const copies = join(home.path, 'documents');
  mkdirSync(copies, { recursive: true });
  const store = openSqliteStore(home.database, () => 'library');
  const world = new SimWorld();
  const { ports } = world;
  const reads = { longest: 0 };
  Object.assign(ports, {
    store: withTimedReads(store, reads),
    files: createAgentFiles(home, () => undefined),
    clock: systemClock,
  });
  await store.write((tx) => {
    tx.insertProject({ name: 'library', path: '/library', createdAt: instantFromMs(BEGAN) });
    for (let id = 1; id <= PERSONAS; id++) {
      const persona = {
        role: 'worker',
        name: `Worker ${id}`,
        status: 'active',
        createdAt: instantFromMs(BEGAN),
      } as const;
      tx.insertPersona(persona, () => `worker-${id}`);
      tx.insertAgent(anAgent({ personaId: id, state: 'ended', endedAt: instantFromMs(BEGAN) }));
    }
  });
  let bytes = 0;
  const write = textWriter();
  for (let from = 0; from < documents; from += BATCH) {
    await store.write((tx) => {
      for (let number = from; number < Math.min(from + BATCH, documents); number++) {
        const text = write(number);
        const sha256 = createHash('sha256').update(text).digest('hex');
        writeFileSync(join(copies, `${sha256}.md`), text, { mode: 0o600 });
        bytes += Buffer.byteLength(text);
        const agentId = (number % PERSONAS) + 1;
        const entry = {
          kind: 'document',
          key: `document/${number}`,
          at: instantFromMs(BEGAN + Math.floor((number / documents) * YEAR_MS)) as Instant,
          agentId,
          personaIds: [agentId],
          projectId: 1,
          runId: number + 1,
          packageId: null,
          line: 1,
          sha256,
          text: null,
        } as const;
        indexText(tx, ports, entry, text);
      }
    });
    if (from % 10_000 === 0) say(`${from} documents are indexed`);
  }
  const api = new ApiInProcess(ports);
  await api.listen();
  const search: Library['search'] = async (query) => {
    const answered = await api.call<{ hits?: readonly unknown[] }>('GET', `/api/search?${new URLSearchParams(query)}`);
    return { status: answered.status, hits: answered.body.hits?.length ?? 0 };
  };
  const reopened = (): void =>
    void Object.assign(ports, {
      store: withTimedReads(
        openSqliteStore(home.database, () => 'library'),
        reads,
      ),
    });
  return {
    bytes,
    search,
    longestRead: () => {
      const { longest } = reads;
      reads.longest = 0;
      return longest;
    },
    indexBytes: () => statSync(home.database).size,
    purge: async () => {
      ports.store.close();
      const purge = openForPurge(home.database);
      const at = instantFromMs(BEGAN + YEAR_MS);
      purge.purge({ scope: {}, at, filesOf: () => [], checkpoint: () => undefined });
      purge.close();
      reopened();
      const found = await Promise.all([...vocabulary().slice(0, 20), 'document1'].map((q) => search({ q })));
      return found.reduce((sum, { hits }) => sum + hits, 0);
    },
    end: async () => {
      ports.store.close();
      await api.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const withTimedReads = (store: Store, reads: { longest: number }): Store => ({
  ...store,
  read: (work) => {
    const used = process.cpuUsage();
    const answer = store.read(work);
    const { user, system } = process.cpuUsage(used);
    reads.longest = Math.max(reads.longest, (user + system) / 1000);
    return answer;
  },
});

let known: readonly string[] | undefined;

/** Returns 40,000 made-up words. The first words of the list are the most common ones. */
export function vocabulary(): readonly string[] {
  known ??= Array.from({ length: 40_000 }, (_, index) => {
    let word = '';
    for (let rest = index + 7; rest > 0; rest = Math.floor(rest / 37))
      word += `${'bcdfghklmnprstvz'.charAt(rest % 16)}${'aeiou'.charAt(Math.floor(rest / 16) % 5)}`;
    return `${word}${index % 7 === 0 ? 's' : ''}`;
  });
  return known;
}

/** Writes documents of at least 4 KB. A few words occur often and most words are rare, as in a natural language. */
function textWriter(): (number: number) => string {
  const words = vocabulary();
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  return (number) => {
    const lines = [
      `# Handoff document${number}`,
      number === 7 ? `The token was ${SECRET}, now revoked.` : '',
      '## Decisions',
    ];
    for (let length = 0; length < 4_200; ) {
      const line = Array.from({ length: 12 }, () => words[Math.floor(words.length ** random()) - 1] ?? 'word').join(
        ' ',
      );
      lines.push(`- ${line}`);
      length += line.length + 3;
    }
    return lines.join('\n');
  };
}
