import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutComments } from '../../../src/adapters/runtimes/json-text.ts';
import { createOperatorHooks } from '../../../src/adapters/runtimes/operator-hooks.ts';
import { CannotEdit } from '../../../src/app/ports/operator-hooks.ts';

const EVENTS = ['SessionStart', 'PreToolUse', 'Stop', 'SessionEnd'];
const hooks = createOperatorHooks({
  file: '/home/op/.claude/settings.json',
  events: EVENTS,
  matched: new Set(['PreToolUse']),
  comments: 'the client does not load such a file',
});
const command = (event: string) => `'/home/op/.baton/bin/baton-candidate' ${event}; true`;
const otherCommand = (event: string) => `'/elsewhere/bin/baton-candidate' ${event}; true`;
const install = (text: string | undefined) => hooks.install(text, command).text;
const uninstall = (text: string | undefined) => hooks.uninstall(text).text;
const stateOf = (text: string | undefined) => hooks.look(text, command).state;

/** Generates random settings. In these settings, each place where Baton writes its hooks is absent, empty or filled. */
const group = fc.record(
  { matcher: fc.string(), hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() })) },
  { requiredKeys: [] },
);
const settings = fc.record(
  {
    permissions: fc.jsonValue(),
    hooks: fc.dictionary(
      fc.constantFrom('SessionStart', 'Stop', 'SessionEnd', 'Odd'),
      fc.array(group, { maxLength: 3 }),
    ),
    rest: fc.jsonValue(),
    ['__proto__']: fc.constant(1),
  },
  { requiredKeys: [] },
);

/**
 * `strewn` writes a value as JSON with random whitespace and comments, because the operator may format the settings in
 * any way.
 */
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const comment = fc.constantFrom('/* "a": [ */', '// ] }\n', '/**/');
function strewn(value: unknown, next: () => string): string {
  const list = (open: string, close: string, parts: string[]) =>
    parts.length === 0 ? open + next() + close : open + parts.map((part) => next() + part + next()).join(',') + close;
  if (Array.isArray(value))
    return list(
      '[',
      ']',
      value.map((each) => strewn(each, next)),
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}${next()}:${next()}${strewn(each, next)}`,
  );
  return list('{', '}', members);
}
const usual = fc
  .tuple(settings, fc.constantFrom(undefined, 2, 4, '\t', ' '.repeat(12)), fc.constantFrom('', '\n'), fc.boolean())
  .map(([value, indent, end, crlf]) => {
    const text = JSON.stringify(value, null, indent) + end;
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  });
const odd = fc
  .tuple(settings, fc.infiniteStream(fc.oneof(space, comment)), space, fc.constantFrom('', '\uFEFF'))
  .map(([value, spaces, end, start]) => start + strewn(value, () => spaces.next().value as string) + end);
const text = fc.oneof(usual, odd, fc.constant(undefined));

describe('hooks in the settings of the operator', () => {
  it("installing and then removing Baton's hooks leaves a settings file byte for byte as before", () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = install(before);
        expect(stateOf(after)).toBe('installed');
        expect(uninstall(after)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("installing Baton's hooks leaves the other settings unchanged", () => {
    fc.assert(
      fc.property(text, (before) => {
        const parse = (each: string | undefined) => JSON.parse(withoutComments((each ?? '{}').replace('\uFEFF', '')));
        const [was, is] = [parse(before), parse(install(before))];
        const lists = was.hooks ?? {};
        for (const event of EVENTS) {
          const { matcher, hooks: listed } = is.hooks[event].at(-1);
          expect(matcher).toBe(event === 'PreToolUse' ? '*' : undefined);
          expect(listed[0].command.startsWith(`${command(event)} # baton hooks v2`)).toBe(true);
          expect(is.hooks[event].slice(0, -1)).toEqual(lists[event] ?? []);
          delete is.hooks[event];
          delete lists[event];
        }
        if (Object.keys(is.hooks).length === 0) delete is.hooks;
        if (Object.keys(lists).length === 0) delete was.hooks;
        expect(is).toEqual(was);
      }),
      { numRuns: 100 },
    );
  });

  it("installing Baton's hooks a second time changes nothing", () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = install(before);
        expect(hooks.install(after, command)).toEqual({ text: after, changes: [] });
        const others = hooks.install(before, otherCommand).text;
        expect(stateOf(others)).toBe('outdated');
        const mended = hooks.install(others, command);
        expect(mended.changes.map(({ what }) => what)).toEqual(EVENTS.map(() => 'replaced'));
        expect([stateOf(mended.text), uninstall(mended.text)]).toEqual(['installed', before]);
      }),
      { numRuns: 100 },
    );
  });

  it("removing Baton's hooks keeps the operator's later changes", () => {
    const before = JSON.stringify({ model: 'x', hooks: { SessionStart: [{ hooks: [] }] } }, null, 2);
    const value = JSON.parse(install(before) as string);
    value.hooks.SessionStart.push({ matcher: 'startup', hooks: [{ type: 'command', command: 'mine' }] });
    // Add a hook of the operator to the group of hooks that Baton itself installed.
    value.hooks.SessionEnd[0].hooks.unshift({ type: 'command', command: 'mine too' });
    value.theme = 'dark';
    const after = JSON.parse(uninstall(JSON.stringify(value, null, 4)) as string);
    expect(after).toEqual({
      model: 'x',
      hooks: {
        SessionStart: [{ hooks: [] }, { matcher: 'startup', hooks: [{ type: 'command', command: 'mine' }] }],
        SessionEnd: [{ hooks: [{ type: 'command', command: 'mine too' }] }],
      },
      theme: 'dark',
    });
  });

  it("installing Baton's hooks replaces the hooks of an older version", () => {
    const old = (event: string) => ({
      hooks: [{ type: 'command', command: `old ${event} # baton hooks v0 (new: list)` }],
    });
    const value = { hooks: { Odd: [old('Odd')], SessionStart: [old('one'), { hooks: [] }, old('two')] } };
    const seen = hooks.look(JSON.stringify(value), command);
    expect([seen.state, seen.version]).toEqual(['partly', 0]);
    const { text: after, changes } = hooks.install(JSON.stringify(value), command);
    expect(changes.map(({ what, event }) => `${what} ${event}`).sort()).toEqual([
      'added PreToolUse',
      'added SessionEnd',
      'added Stop',
      'removed Odd',
      'removed SessionStart',
      'replaced SessionStart',
    ]);
    const lists = JSON.parse(after as string).hooks;
    expect(Object.keys(lists)).toEqual(EVENTS);
    expect(lists.SessionStart.map((each: { hooks: unknown[] }) => each.hooks.length)).toEqual([1, 0]);
    expect(stateOf(after)).toBe('installed');
  });

  it('after Baton has replaced its hooks of version 1 and then removed its hooks, the settings file is as it was before the first installation', () => {
    const first = createOperatorHooks({ file: '/f', events: ['SessionStart', 'SessionEnd'], matched: new Set() });
    fc.assert(
      fc.property(text, (before) => {
        const old = first.install(before, otherCommand).text?.replaceAll('baton hooks v2', 'baton hooks v1');
        expect(hooks.look(old, command)).toMatchObject({ state: 'partly', version: 1 });
        const after = install(old);
        expect([stateOf(after), uninstall(after)]).toEqual(['installed', before]);
      }),
      { numRuns: 100 },
    );
  });

  it("removing Baton's hooks deletes a settings file that Baton created", () => {
    const made = install(undefined) as string;
    expect(made).toMatch(/^\{\n {2}"hooks": \{\n {4}"SessionStart": \[\n[\s\S]*\n\}\n$/);
    expect(uninstall(made)).toBeUndefined();
    expect(uninstall(made.replace('{', '{ "model": "x",'))).toBe('{ "model": "x"\n}\n');
    expect(uninstall(undefined)).toBeUndefined();
  });

  it("Baton's hooks are added to the last of two JSON keys with the same name", () => {
    const before = '{"hooks": 1, "hooks": {"SessionStart": 2, "SessionStart": []}}';
    const after = install(before) as string;
    expect(JSON.parse(after).hooks.SessionStart).toHaveLength(1);
    expect(uninstall(after)).toBe(before);
  });

  it("Baton's hooks can be installed into deeply nested JSON", () => {
    const before = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    expect(uninstall(install(before))).toBe(before);
  });

  it.each([
    ['', 'not valid JSON'],
    ['{"a": 1,}', 'not valid JSON'],
    ['/* mine {}', 'not valid JSON'],
    ['[]', 'not contain a JSON object'],
    ['null', 'not contain a JSON object'],
    ['{"hooks": []}', '"hooks" in'],
    ['{"hooks": {"SessionEnd": {}}}', '"hooks.SessionEnd" in'],
  ])("installing Baton's hooks fails for the settings %j and leaves the settings file unchanged", (before, why) => {
    expect(() => install(before)).toThrow(CannotEdit);
    expect(() => install(before)).toThrow(why);
  });

  it.each([
    '// mine\n{}',
    '{ /* none yet */ }\n// end',
    '{\n  // a note\n  "a": 1, // "hooks": {}\n  "hooks": { /* "Stop": [ */ "Stop": [ /* ] */ ] }\n}\n',
    '{"a": "// no comment", "b": 1/* tight */}',
  ])("Baton's hooks can be installed into the commented settings %j and removed again without a trace", (before) => {
    const after = install(before);
    expect(stateOf(after)).toBe('installed');
    for (const comment of before.match(/\/\/ \w+|\/\*.*?\*\//g) ?? []) expect(after).toContain(comment);
    expect(uninstall(after)).toBe(before);
  });

  it('if the settings contain comments, Baton warns that the client does not load the settings file', () => {
    const seen = (text: string) => hooks.look(install(text), command).switchedOff;
    expect(seen('// mine\n{}')).toBe('the file contains comments, and the client does not load such a file');
    expect(seen('{"url": "http://x"}')).toBeNull();
  });

  it("Baton reports that the operator's settings disable Baton's hooks", () => {
    const after = install('{"disableAllHooks": true}');
    expect(hooks.look(after, command).switchedOff).toContain('disableAllHooks');
    expect(hooks.look(install('{}'), command).switchedOff).toBeNull();
  });
});

describe('the report of an external session', () => {
  const read = (event: string, payload: unknown) => hooks.readSession({ event, payload });

  it('the report of an external session contains no text of the conversation', () => {
    const payload = {
      session_id: 'abc-1',
      cwd: '/p',
      transcript_path: '/t.jsonl',
      prompt: 'secret',
      source: 'startup',
    };
    expect(read('SessionStart', payload)).toEqual({
      sessionId: 'abc-1',
      moment: 'began',
      folder: '/p',
      transcriptPath: '/t.jsonl',
    });
    expect(read('SessionEnd', { session_id: 'abc-1' })).toEqual({
      sessionId: 'abc-1',
      moment: 'ended',
      folder: null,
      transcriptPath: null,
    });
  });

  it('a malformed report of an external session is ignored', () => {
    expect(read('SessionStart', { session_id: 'a', cwd: '/p\u001b[2J\u0000\n\tx' })?.folder).toBe('/p[2Jx');
    for (const odd of [undefined, {}, { session_id: '' }, { session_id: 'a b' }, { session_id: 'x'.repeat(201) }])
      expect(read('SessionStart', odd)).toBeUndefined();
    expect(read('SessionStart', { session_id: 'a', cwd: 'x'.repeat(5_000) })).toBeUndefined();
    for (const event of ['Stop', 'constructor']) expect(read(event, { session_id: 'a' })).toBeUndefined();
  });
});
