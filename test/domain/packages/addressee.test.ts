import { expect, it } from 'vitest';
import { agentName, parseAddressee } from '../../../src/domain/packages/content/addressee.ts';

it.each([
  ['human', { kind: 'person' }],
  ['orchestrator', { kind: 'person' }],
  ['next', { kind: 'next' }],
  [agentName(12), { kind: 'agent', agentId: 12 }],
  ['developer-con-1', { kind: 'persona', name: 'developer-con-1' }],
  ['agent-con-1', { kind: 'persona', name: 'agent-con-1' }],
])('Baton recognizes which kind of receiver the name %s means', (name, parsed) => {
  expect(parseAddressee(name)).toEqual(parsed);
});
