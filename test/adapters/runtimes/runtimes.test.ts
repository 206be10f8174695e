import { createRuntimes } from '../../../src/adapters/runtimes/runtimes.ts';
import { runtimeContract } from './runtime-contract.ts';

for (const runtime of createRuntimes({ practice: '/opt/baton/practice.js' }, {}).values()) runtimeContract(runtime);
