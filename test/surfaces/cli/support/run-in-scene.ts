import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import { OPERATOR } from '../../http/api-in-process.ts';
import type { PackageScene } from '../../http/packages/package-scene.ts';
import { type Ran, runInHome } from './run-in-home.ts';

/** Runs a command of the command line against the API of `scene`, as the operator or as an agent. */
export function runInScene(scene: PackageScene, by: Agent | 'operator', ...argv: readonly string[]): Promise<Ran> {
  const { home } = scene.api;
  writeFileSync(join(home, 'token'), OPERATOR);
  const env = by === 'operator' ? {} : { BATON_AGENT_ID: `${by.id}`, BATON_AGENT_TOKEN: scene.token(by) };
  return runInHome(home, argv, { env });
}
