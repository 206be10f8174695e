import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sanitizeForPane } from '../../../../src/adapters/tmux/typing/sanitize-for-pane.ts';
import { createRig, reader } from '../rig.ts';

const rig = createRig();
const { terminal } = rig;
afterAll(() => rig.stop());

const OPEN = '\x1b[200~';
const CLOSE = '\x1b[201~';
const framed = (text: string) => `${OPEN}${text}${CLOSE}\r`;

const mixed = (size: number) =>
  'Zeile é漢😀 "q" $HOME #{pid} ; \\ \t\n'
    .repeat(size)
    .slice(0, size)
    .replace(/\p{Cs}$/u, 'x');

describe('[T7] the text of a delivery', () => {
  it('[F52] a text of up to 64 KB arrives unchanged in one bracketed paste', async () => {
    const agent = await rig.startAgent();
    let expected = '';
    for (const text of ['x', 'ab;', '-R hello', mixed(100), mixed(4096), mixed(16_384), mixed(65_536)]) {
      expect(await terminal.deliver(agent.pane, rig.prompt(text))).toEqual({ verdict: 'typed', enters: 1 });
      expected += framed(sanitizeForPane(text));
      expect(agent.received().toString() === expected).toBe(true);
    }
    expect(agent.submitted()).toHaveLength(7);
  });

  it('if the runtime adds a space to the end of a prompt, Baton types the prompt with this space', async () => {
    const agent = await rig.startAgent();
    const spaced = { ...reader, asTyped: (text: string) => `${text} ` };
    const outcome = await terminal.deliver(agent.pane, rig.prompt('Look at @src/parser.ts', { reader: spaced }));
    expect(outcome).toEqual({ verdict: 'typed', enters: 1 });
    expect(agent.received().toString()).toBe(framed('Look at @src/parser.ts '));
  });

  it('a delivered text cannot leave its bracketed paste, press a key or run a command', async () => {
    const canary = join(rig.dir, 'canary');
    const evil = `touch ${canary}`;
    const corpus = [
      `safe${CLOSE}\r${evil}\r${OPEN}`,
      `a\x1b\x1b[201~[201~${evil}\r\n`,
      `b\x9b201~\r${evil}`,
      `c\x03\x04\x16\x1a\x15\x7f\x00d`,
      `d #(${evil}) #{E:@x} $(${evil}) \`${evil}\``,
      `e\u2028${evil}\u2029\u202e\u2066\u200f\u0085\u009b`,
      `f\ud800\udc00\ud800 \udfff`,
      '/exit',
      '!rm -rf x',
      '#remember',
      '@file',
      '\x1b /exit',
      'trailing;',
      ';',
      'kill-server ; kill-server',
    ];
    const agent = await rig.startAgent();
    let expected = '';
    for (const text of corpus) {
      expect(await terminal.deliver(agent.pane, rig.prompt(text))).toEqual({ verdict: 'typed', enters: 1 });
      expected += framed(sanitizeForPane(text));
      expect(agent.received().toString()).toBe(expected);
    }
    expect(agent.submitted()).toEqual(corpus.map(sanitizeForPane));
    expect(existsSync(canary)).toBe(false);
  });

  it('a delivery is refused if its text is empty, its command has arguments or its id is invalid', async () => {
    const agent = await rig.startAgent();
    const bad = [
      rig.prompt(' \x1b\n'),
      rig.prompt('/exit now', { kind: 'command' }),
      rig.prompt('x', { id: 'a,b' }),
      rig.prompt('x', { id: '' }),
    ];
    for (const delivery of bad)
      await expect(terminal.deliver(agent.pane, delivery)).rejects.toMatchObject({ kind: 'invalid' });
    expect(agent.received()).toHaveLength(0);
  });

  it("Baton types the client's command /exit literally", async () => {
    const agent = await rig.startAgent();
    const exit = rig.prompt('/exit', { kind: 'command' });
    expect(await terminal.deliver(agent.pane, exit)).toEqual({ verdict: 'typed', enters: 1 });
    expect(agent.submitted()).toEqual(['/exit']);
    expect(await terminal.deliver(agent.pane, exit)).toMatchObject({ verdict: 'refused', reason: 'pane_gone' });
  });

  it('Baton does not mix texts that several callers send to one pane', async () => {
    const agents = await Promise.all([rig.startAgent(), rig.startAgent(), rig.startAgent()]);
    const texts = ['first', 'second', 'third'];
    const jobs = agents.flatMap((agent) =>
      texts.map((text) => terminal.deliver(agent.pane, rig.prompt(`${agent.name} ${text}`))),
    );
    for (const outcome of await Promise.all(jobs)) expect(outcome).toEqual({ verdict: 'typed', enters: 1 });
    for (const agent of agents) expect(agent.submitted()).toEqual(texts.map((text) => `${agent.name} ${text}`));
    expect(rig.tmux('list-buffers')).toBe('');
  });
});
