import { describe, expect, it } from 'vitest';
import { compactionPoint } from '../../../../src/adapters/runtimes/opencode/context-limit.ts';
import { permissionRules } from '../../../../src/adapters/runtimes/opencode/host/permissions.ts';
import { newMessageId } from '../../../../src/adapters/runtimes/opencode/message-id.ts';
import { createOpencodeRuntime } from '../../../../src/adapters/runtimes/opencode/opencode-runtime.ts';
import { screenOf } from '../fixtures.ts';

const runtime = createOpencodeRuntime('/opt/baton/host.js', { PATH: '/nowhere' });
const read = (name: string) => runtime.readScreen(screenOf('opencode', name));
const asked = (name: string) => runtime.readQuestion(screenOf('opencode', name));

describe('the screen reader of opencode', () => {
  it.each([
    ['draft', 'my draft'],
    ['draft-wide', 'wide draft'],
    ['draft-home', 'a thought'],
    ['draft-shell', '!ls'],
    ['draft-slash-popup', '/exi'],
    ['draft-pasted-chip', '[Pasted ~4 lines]'],
  ])('the opencode screen parser finds the draft on the screen %s', (name, text) => {
    expect(read(name)).toEqual({ kind: 'draft', text });
  });

  it('the opencode screen parser recognizes a long paste by its number of lines, and a short paste by its text', () => {
    expect(runtime.isOurDraft('[Pasted ~4 lines]', 'one\ntwo\nthree\nfour')).toBe(true);
    expect(runtime.isOurDraft('[Pasted ~4 lines]', 'one\ntwo\nthree')).toBe(false);
    expect(runtime.isOurDraft('/exit', '/exit')).toBe(true);
    expect(runtime.isOurDraft('my thought', 'another text')).toBe(false);
  });

  it("if a text ends with a file mention, Baton types a space after the mention, because otherwise Enter would choose a file from opencode's list", () => {
    expect(runtime.asTyped?.('Look at @src/parser.ts')).toBe('Look at @src/parser.ts ');
    for (const text of ['Look at @src/parser.ts first', 'write to me@example.org.\n\nThanks', 'plain'])
      expect(runtime.asTyped?.(text)).toBe(text);
  });

  it("while opencode retries a failed request, the opencode screen parser returns opencode's own words", () => {
    expect(read('busy-retry-wide')).toEqual({ kind: 'busy', doing: 'retries: stub error' });
  });

  it('the opencode screen parser reports an open menu instead of a free composer', () => {
    for (const name of ['view-palette', 'view-models', 'view-help']) expect(read(name).kind).toBe('view');
  });

  it('the opencode screen parser reports a draft even if the draft has the same words as the hint in an empty composer', () => {
    const screen = screenOf('opencode', 'ready-home');
    expect(runtime.readScreen({ ...screen, cursorX: screen.cursorX + 30 }).kind).toBe('draft');
  });

  it.each(['dialog-bash', 'dialog-fullscreen', 'dialog-wide', 'dialog-edit'])(
    'the opencode screen parser finds the three options of the permission request on the screen %s',
    (name) => {
      expect(asked(name)?.options.map(({ label }) => label)).toEqual(['Allow once', 'Allow always', 'Reject']);
    },
  );

  it('the opencode screen parser leaves out the sidebar beside a question', () => {
    expect(asked('dialog-wide')?.text).toBe('△ Permission required\n# Shell command\n$ echo wide');
  });

  it('the fingerprint of an opencode question stays the same when another option is marked', () => {
    expect(asked('dialog-bash')?.fingerprint).toBe(asked('dialog-bash-always-marked')?.fingerprint);
  });

  it('the opencode screen parser offers options for a single question, but not for several questions at once', () => {
    expect(asked('dialog-question')?.options).toEqual([
      { number: 1, label: 'Red' },
      { number: 2, label: 'Blue' },
    ]);
    expect(asked('dialog-two-questions')?.options).toEqual([]);
    expect(asked('dialog-always-confirm')?.options).toEqual([]);
  });
});

describe('the runtime opencode', () => {
  it('Baton says what to do if the program opencode is missing', async () => {
    expect(await runtime.unavailableReason()).toMatch(/no program "opencode" on the PATH .* BATON_OPENCODE/);
  });

  it.each([
    [['--model', 'stub/m', '--agent=plan'], undefined],
    [['--model', 'm'], /PROVIDER\/MODEL/],
    [['--model'], /needs a value/],
    [['--continue'], /--model PROVIDER\/MODEL and --agent NAME/],
  ])('the opencode runtime accepts only the arguments --model and --agent with a valid value: %j', (args, sentence) => {
    const refusal = runtime.refuseArgs?.(args);
    if (sentence === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(sentence);
  });

  it.each([
    [{ context: 200_000, output: 8_192 }, {}, 191_808],
    [{ context: 200_000, output: 64_000 }, {}, 168_000],
    [{ context: 200_000, input: 180_000, output: 64_000 }, {}, 160_000],
    [{ context: 200_000, output: 8_192 }, { compaction: { auto: false } }, 200_000],
    [{ context: 0 }, {}, undefined],
  ])(
    "with the model's limit %j and the setting %j, Baton computes at how many tokens opencode compacts the context",
    (limit, config, point) => {
      expect(compactionPoint(limit, config)).toBe(point);
    },
  );

  it('an opencode session may write handoff documents without asking, but must ask before it edits the skill', () => {
    const rules = permissionRules(
      { handoffs: '/home/op/.baton/p/handoffs', tools: { name: 'baton', command: [] } },
      '/home/op/shop',
    );
    expect(rules).toContainEqual({ permission: 'edit', pattern: '../.baton/p/handoffs/*', action: 'allow' });
    expect(rules).toContainEqual({
      permission: 'external_directory',
      pattern: '/home/op/.baton/p/handoffs/*',
      action: 'allow',
    });
    expect(rules).toContainEqual({ permission: 'edit', pattern: '../.baton/p/skill.md', action: 'ask' });
    expect(rules).toContainEqual({ permission: 'baton_*', pattern: '*', action: 'allow' });
  });

  it("an opencode message id begins with the message's time, and its other characters depend only on the message's name", () => {
    const [early, late] = [newMessageId('a', 1_794_963_610_404), newMessageId('a', 1_794_963_610_405)];
    expect(early < late).toBe(true);
    expect(early.slice(16)).toBe(late.slice(16));
    expect(newMessageId('b', 1_794_963_610_404).slice(16)).not.toBe(early.slice(16));
    // The real opencode created the id `msg_1ec2b1b24001` at the time that `early` contains. An id that Baton creates
    // for the same time must have the same beginning.
    expect(early.slice(0, 12)).toBe('msg_1ec2b1b24001'.slice(0, 12));
  });
});
