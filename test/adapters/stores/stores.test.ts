import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { describeFleetStore } from './fleet-store-contract.ts';
import { describeKnowledgeStore } from './knowledge-store-contract.ts';
import { describePackageStore } from './package-store-contract.ts';
import { describeSearchStore } from './search-store-contract.ts';
import { describeStore } from './store-contract.ts';
import { describeUsageStore } from './usage-store-contract.ts';

const STORES = {
  sqlite: () => openSqliteStore(join(mkdtempSync(join(tmpdir(), 'baton-store-')), 'baton.db'), () => 'host-1'),
  memory: () => createMemoryStore('host-1', () => instantFromMs(Date.now())),
};
for (const [name, open] of Object.entries(STORES)) {
  describeStore(name, open);
  describePackageStore(name, open);
  describeFleetStore(name, open);
  describeSearchStore(name, open);
  describeKnowledgeStore(name, open);
  describeUsageStore(name, open);
}
