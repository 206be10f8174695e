import { afterEach, describe, expect, it } from 'vitest';
import { PracticePane, stopAllPanes } from './practice-pane.ts';

afterEach(stopAllPanes);

const PLAN = '# Plan\n\n- [ ] Choose a format\n- [ ] Write the parser\n';

describe('a turn of the practice agent', () => {
  it('the practice agent fires the hooks of a turn in order, with the same prompt id', async () => {
    const pane = await PracticePane.start();
    await pane.promptAndFinish('[[practice:write out.txt hello there]]');
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']);
    expect(
      new Set(
        pane
          .hooks()
          .slice(1)
          .map((hook) => hook.prompt_id),
      ).size,
    ).toBe(1);
    expect(pane.hooks()[0]).not.toHaveProperty('prompt_id');
    expect(pane.hooks('PostToolUse')[0]).toMatchObject({ tool_name: 'Write', tool_response: { type: 'create' } });
    expect(pane.hooks('Stop')[0]).toMatchObject({ stop_hook_active: false, session_id: pane.sessionId });
    expect(pane.text('demo/out.txt')).toBe('hello there');
  });

  it('the practice agent does one step of PLAN.md in each turn', async () => {
    const pane = await PracticePane.start({ plan: PLAN });
    await pane.promptAndFinish('go on');
    await pane.promptAndFinish('go on');
    expect(pane.text('demo/PLAN.md')).toBe('# Plan\n\n- [x] Choose a format\n- [x] Write the parser\n');
    expect(pane.text('demo/notes/step-2-write-the-parser.md').split('\n').length).toBeGreaterThan(5);
    await pane.until('usage', () => /"used_percentage":(4[5-9]|5[0-8]),/.test(pane.text('status.jsonl')));
  });

  it("the practice agent writes a prompt to its transcript only after the prompt's hooks have run", async () => {
    const pane = await PracticePane.start({ hooks: { UserPromptSubmit: 'grep -q forbidden && exit 2; exit 0' } });
    await pane.type('a forbidden thing');
    await pane.press('Enter');
    await pane.until('blocked', () => pane.log('blocked').length === 1);
    await pane.until('text back', async () => (await pane.screen()).includes('❯\u00a0a forbidden thing'));
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit']);
    expect(pane.text('log.transcript.jsonl')).toBe('');
    await pane.press('C-u');
    await pane.promptAndFinish('[[practice:say allowed]]');
    const users = pane.lines('log.transcript.jsonl').filter((line) => line.type === 'user');
    expect(users).toMatchObject([{ sessionId: pane.sessionId, message: { content: '[[practice:say allowed]]' } }]);
  });

  it('the practice agent empties its composer even if the prompt hook is delayed', async () => {
    const pane = await PracticePane.start({ behaviour: { acceptDelayMs: 3000 } });
    await pane.type('[[practice:say hi]]');
    await pane.press('Enter');
    await pane.until(
      'empty composer',
      async () => pane.log('enter').length === 1 && (await pane.field('cursor_x')) === '2',
    );
    expect(pane.hooks('UserPromptSubmit')).toEqual([]);
    await pane.until('submitted', () => pane.log('submitted').length === 1);
  });

  it('the hook of a prompt that was queued during a turn has the prompt id of that turn', async () => {
    const pane = await PracticePane.start();
    await pane.prompt('[[practice:await go-on]] first');
    await pane.prompt('[[practice:say second answer]]');
    expect(pane.log('queued')).toHaveLength(1);
    await pane.shows(/^[·✢✳✶✻✽] Working… \(esc to interrupt\)/m);
    pane.goOn();
    await pane.until('both turns', () => pane.log('turn_ended').length === 2);
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit', 'UserPromptSubmit', 'Stop', 'Stop']);
    const [first, second, stopFirst, stopSecond] = pane
      .hooks()
      .slice(1)
      .map((hook) => hook.prompt_id);
    expect([second, stopFirst]).toEqual([first, first]);
    expect(stopSecond).not.toBe(first);
    expect(pane.log('submitted').map((entry) => entry.prompt_id)).toEqual([first, stopSecond]);
  });

  it.each(['Escape', 'C-c'])('if %s interrupts a turn of the practice agent, no Stop hook fires', async (key) => {
    const pane = await PracticePane.start();
    await pane.prompt('[[practice:say so far]] [[practice:slow 20000]]');
    await pane.shows('● so far');
    await pane.press(key);
    await pane.until('interrupted', () => pane.log('interrupted').length === 1);
    await pane.until('idle', async () => !(await pane.screen()).includes('Working…'));
    await pane.shows('Interrupted');
    await pane.promptAndFinish('[[practice:say again]]');
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit', 'UserPromptSubmit', 'Stop']);
  });

  it('the practice agent never runs two hooks at once', async () => {
    const during = (name: string, wait: string) =>
      `echo ${name} begins >> ../order; ${wait}; echo ${name} ends >> ../order`;
    const tool = during('tool', 'until [ -e go-on ]; do sleep 0.05; done');
    const pane = await PracticePane.start({
      hooks: { PreToolUse: tool, UserPromptSubmit: during('prompt', 'sleep 0.4') },
    });
    await pane.prompt('[[practice:write a.txt x]]');
    await pane.until('hook of the tool', () => pane.text('order').includes('tool begins'));
    await pane.paste('[[practice:say second]]');
    await pane.press('Enter');
    await pane.until('the second prompt', () => pane.log('enter').length === 2);
    pane.goOn();
    await pane.until('end of turn', () => pane.log('turn_ended').length === 1);
    expect(pane.log('submitted')).toMatchObject([{}, { text: '[[practice:say second]]', joined: true }]);
    const pairs = pane.text('order').trim().split('\n');
    const expected = ['prompt', 'tool', 'prompt'].flatMap((name) => [`${name} begins`, `${name} ends`]);
    expect(pairs).toEqual(expected);
  });

  it('the turn of the practice agent is already over when its Stop hook runs', async () => {
    const pane = await PracticePane.start({ hooks: { Stop: 'until [ -e go-on ]; do sleep 0.05; done' } });
    await pane.prompt('[[practice:say hi]]');
    await pane.until('Stop', () => pane.hooks('Stop').length === 1);
    await pane.type('/clear');
    await pane.press('Enter');
    await pane.until('the command', () => pane.log('command').length === 1);
    pane.goOn();
    await pane.until('a new session', () => pane.hooks('SessionStart').length === 2);
    expect(pane.hookNames().slice(-3)).toEqual(['Stop', 'SessionEnd', 'SessionStart']);
  });

  it('if a turn of the practice agent ends with an error, a StopFailure hook fires', async () => {
    const pane = await PracticePane.start();
    await pane.promptAndFinish('[[practice:error]]');
    expect(pane.hookNames().at(-1)).toBe('StopFailure');
    expect(pane.hooks('Stop')).toEqual([]);
  });

  it('the practice agent never fires a hook that the setting dropHooks lists', async () => {
    const pane = await PracticePane.start({ behaviour: { dropHooks: ['Stop'] } });
    await pane.promptAndFinish('[[practice:say hi]]');
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit']);
  });

  it("a prompt can set the practice agent's context use", async () => {
    const pane = await PracticePane.start();
    await pane.promptAndFinish('[[practice:context 80]]');
    await pane.shows('  80% context used');
    await pane.promptAndFinish(`[[practice:say ${'long '.repeat(8000)}]]`);
    await pane.until('full', async () => (await pane.screen()).includes('  100% context used'));
  });
});

describe('a permission dialog of the practice agent', () => {
  it.each([
    ['Enter', 'yes', 'enter'],
    ['y', 'yes', 'key'],
    ['2', 'no', 'key'],
    ['Escape', 'no', 'key'],
  ])('the practice agent takes the key %s as the answer "%s" to a permission dialog', async (key, answer, by) => {
    const pane = await PracticePane.start({ behaviour: { notifyAfterMs: 0 } });
    await pane.prompt('[[practice:dialog rm -rf build]]');
    await pane.until('notification', () => pane.hooks('Notification').length === 1);
    await pane.shows(/rm -rf build\nDo you want to proceed\?\n❯ 1\. Yes\n {2}2\. No\n/);
    expect(await pane.screen()).not.toContain('❯\u00a0');
    await pane.type('zzz');
    await pane.paste('1 yes\n');
    await pane.until('bytes', () => pane.receivedBytes().includes('zzz\x1b[200~1 yes\n\x1b[201~'));
    expect(pane.log('dialog_answered')).toEqual([]);
    await pane.press(key);
    await pane.until('end of turn', () => pane.log('turn_ended').length + pane.log('interrupted').length === 1);
    expect(pane.log('dialog_answered')).toMatchObject([{ answer, by }]);
    const after = answer === 'yes' ? ['PostToolUse', 'Stop'] : [];
    expect(pane.hookNames().slice(2)).toEqual(['PreToolUse', 'PermissionRequest', 'Notification', ...after]);
  });
});
