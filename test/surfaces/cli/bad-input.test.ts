import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { viewRefusal } from '../../../src/surfaces/http/agents/views.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { runInHome } from './support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('invalid command lines', () => {
  // An empty project must be refused, because `--project "$UNSET"` in a script would start an agent in the current
  // folder. An empty persona must be refused, because the agent would have none and could not hand off.
  it.each([
    [['agent', 'start', '--persona', ''], "Use a persona's slug or name"],
    [['agent', 'adopt', '0b1f5a62', '--persona', ''], "Use a persona's slug or name"],
    [['agent', 'start', '--project', ''], 'Name the project folder'],
    [['project', 'add', ''], 'Name the project folder'],
    [['project', 'default-persona', '', 'qa-zoe-2'], 'Name the project folder'],
    [['project', 'default-persona', '2', 'qa-zoe-2', '--none'], 'Use either a persona or --none'],
    [['persona', 'edit', 'qa-zoe-2'], 'Give --name, --role or --runs-on'],
    [['package', 'list', '--state', 'nonsense'], 'Unknown state "nonsense". Use one of draft,'],
    [['package', 'list', '--type', 'nonsense'], 'Unknown type "nonsense". Use one of sequential,'],
    [['search', 'retry', '--project', ''], "Use a project's folder or id"],
    [['search', 'retry', '--kind', ''], 'Use --kind with one of document, decision,'],
    [['agent', 'show', '0'], 'Use a whole number, 1 or greater'],
    [['handoff', '0'], 'Use a whole number, 1 or greater'],
    [['stop', '--machine', 'laptop'], 'baton stop can be used only on the machine itself'],
    [['backup', '--machine', 'laptop'], 'baton backup can be used only on the machine itself'],
  ])('the command line %j is refused', async (argv, says) => {
    const ran = await run(...argv);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(baton.seen).toEqual([]);
  });

  it('the error about an invalid command line contains the command that prints the help', async () => {
    expect((await run('agent', 'show', '-0.5')).stderr).toContain('(see: baton agent show --help)');
    expect((await run('handoff')).stderr).toContain('(see: baton handoff --help)');
    expect((await run('agent', 'bogus')).stderr).toContain('(see: baton agent --help)');
    expect((await run('bogus')).stderr).toContain('(see: baton --help)');
  });
});

it('the error about an unknown object contains the command that lists the existing objects', () => {
  const hint = (code: Parameters<typeof viewRefusal>[0]['code']) => viewRefusal({ code, sentence: 'x' }).hint;
  expect(hint('agent_not_found')).toContain('baton agent list --all');
  expect(hint('run_not_found')).toContain('baton handoff list');
  expect(hint('handoff_not_found')).toContain('baton handoff list');
  expect(hint('project_not_found')).toContain('baton project list');
  expect(hint('persona_not_found')).toContain('baton persona list');
  expect(hint('inbox_item_not_found')).toContain('baton inbox list');
  expect(hint('package_not_found')).toContain('baton package list');
  expect(hint('agent_not_active')).toBeUndefined();
  expect(viewRefusal({ code: 'run_not_found', sentence: 'x', hint: 'own' }).hint).toBe('own');
});

it('if an agent names an unknown object, the error does not suggest commands that only the operator may run', () => {
  const hint = (code: Parameters<typeof viewRefusal>[0]['code']) => viewRefusal({ code, sentence: 'x' }, 'agent').hint;
  expect(hint('agent_not_found')).toBe('List them: baton package agents');
  expect(hint('package_not_found')).toBe('List them: baton package list');
  for (const code of ['run_not_found', 'project_not_found', 'persona_not_found', 'inbox_item_not_found'] as const)
    expect(hint(code)).toBeUndefined();
});
