import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createParrotRuntime } from '../../fixtures/parrot/parrot-runtime.ts';
import { createRig, until } from '../tmux/rig.ts';
import { launchContext, runtimeContract } from './runtime-contract.ts';

/** Tests the minimal client and runtime of docs/adding-a-runtime.md in a real pane. */

const runtime = createParrotRuntime(fileURLToPath(new URL('../../fixtures/parrot/parrot.mjs', import.meta.url)));
runtimeContract(runtime);

const rig = createRig();
afterAll(() => rig.stop());

describe('the example runtime of docs/adding-a-runtime.md, in tmux', () => {
  const agentFolder = join(rig.dir, 'agent');
  const hooked = join(agentFolder, 'hooks');
  const hookCommand = (event: string) => `{ printf '${event} '; cat; echo; } >> '${hooked}'`;
  const plan = runtime.planLaunch(launchContext({ agentFolder, hookCommand }));
  const hooks = () =>
    readFileSync(hooked, 'utf8')
      .split('\n')
      // Skip the text after the last line break, because the program may not have finished writing that line.
      .slice(0, -1)
      .map((line) => {
        const [event = '', ...json] = line.split(' ');
        return runtime.parseHook({ event, payload: JSON.parse(json.join(' ')) });
      });
  const facts = () => hooks().flatMap((hook) => hook.facts.map(({ type }) => type));

  it('the example runtime receives text and reports the text by hook and transcript', async () => {
    mkdirSync(agentFolder);
    writeFileSync(join(agentFolder, 'settings.json'), plan.files['settings.json'] ?? '');
    const pane = await rig.terminal.launch({ sessionName: 'parrot', tag: 'parrot', argv: plan.argv });
    for (const text of ['hello parrot', 'a text\nof two lines'])
      expect(await rig.terminal.deliver(pane, rig.prompt(text, { reader: runtime }))).toMatchObject({
        verdict: 'typed',
      });
    await until('the second Stop', () => facts().filter((type) => type === 'turn_ended').length === 2);
    const path = hooks()[0]?.transcriptPath ?? '';
    expect(await runtime.transcript?.promptsBehind(path, 0)).toEqual(['hello parrot', 'a text\nof two lines']);

    const exit = rig.prompt(runtime.exitCommand, { kind: 'command', reader: runtime });
    expect(await rig.terminal.deliver(pane, exit)).toMatchObject({ verdict: 'typed' });
    await until('its end', async () => (await rig.terminal.list()).panes.every(({ dead }) => dead));
    const turn = ['prompt_submitted', 'turn_ended'];
    expect(facts()).toEqual(['session_started', ...turn, ...turn, 'session_ended']);
  });
});
