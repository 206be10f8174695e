import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '../../../src/adapters/stores/memory/memory-store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { describeStore } from './store-contract.ts';

describeStore('sqlite', () =>
  openSqliteStore(join(mkdtempSync(join(tmpdir(), 'baton-store-')), 'baton.db'), () => 'host-1'),
);
describeStore('memory', () => createMemoryStore('host-1', () => instantFromMs(Date.now())));
