import { afterEach, describe, expect, it } from 'vitest';
import { PracticePane, stopAllPanes } from './practice-pane.ts';

afterEach(stopAllPanes);

describe('a practice agent that starts', () => {
  it('the practice agent keeps text that is typed before the agent is ready', async () => {
    const pane = await PracticePane.start({ behaviour: { startDelayMs: 700 }, immediate: true });
    await pane.until('start screen', async () => (await pane.screen()).startsWith('Starting…'));
    await pane.type('too early\r');
    await pane.until('ready composer', async () => /^❯\u00a0/m.test(await pane.screen()));
    expect(pane.receivedBytes().toString()).toBe('too early\r');
    await pane.shows('❯\u00a0too early');
    expect(pane.log('enter')).toMatchObject([{ effect: 'too_early' }]);
    expect(pane.hookNames()).toEqual(['SessionStart']);
  });

  it('the practice agent exits 1 if the trust dialog is answered with Enter', async () => {
    const pane = await PracticePane.start({ behaviour: { startDialog: 'Quick safety check' }, immediate: true });
    await pane.until('dialog', async () => /^❯ 2\. No, exit/m.test(await pane.screen()));
    await pane.press('Enter');
    expect(await pane.exitCode()).toBe(1);
    expect(pane.log('dialog_answered')).toMatchObject([{ answer: 'no', by: 'enter' }]);
    expect(pane.hookNames()).toEqual([]);
  });

  it('the practice agent continues when the trust dialog is accepted', async () => {
    const pane = await PracticePane.start({ behaviour: { startDialog: 'Quick safety check' }, immediate: true });
    await pane.until('dialog', async () => (await pane.screen()).includes('Quick safety check'));
    await pane.press('1');
    await pane.until('ready composer', async () => /^❯\u00a0/m.test(await pane.screen()));
    expect(pane.hookNames()).toEqual(['SessionStart']);
  });

  it('the practice agent applies a behavior for successors only if the agent is a successor', async () => {
    const behaviour = { successor: { startExit: 7 } };
    const successor = await PracticePane.start({ behaviour, env: { BATON_PREDECESSOR: 'ada' }, immediate: true });
    expect(await successor.exitCode()).toBe(7);
    await PracticePane.start({ behaviour });
  });

  it.each([
    [{ burstms: 1 }, 'unknown key "burstms"'],
    [{ handoff: 'maybe' }, '"handoff" must be one of write, ignore'],
    [{ successor: { thinkMs: -1 } }, '"thinkMs" must be a whole number'],
  ])('the practice agent rejects the invalid behavior %j with one sentence', async (behaviour, sentence) => {
    const pane = await PracticePane.start({ behaviour, immediate: true });
    expect(await pane.exitCode()).toBe(2);
    expect(await pane.tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'agent')).toContain(sentence);
  });

  it('the practice agent reads the text that a SessionStart hook prints', async () => {
    const context = JSON.stringify({ hookSpecificOutput: { additionalContext: 'x'.repeat(8000) } });
    const pane = await PracticePane.start({ hooks: { SessionStart: `printf %s '${context}'` } });
    await pane.shows('  15% context used');
    await pane.until('status', () => pane.lines('status.jsonl').length > 0);
    const latest = () => pane.lines('status.jsonl').at(-1);
    expect(latest()).toMatchObject({ session_id: pane.sessionId, context_window: { used_percentage: null } });
    await pane.promptAndFinish('[[practice:say hi]]');
    await pane.until('usage', () => pane.text('status.jsonl').includes('"used_percentage":15'));
    expect(latest()).toMatchObject({ session_id: pane.sessionId, context_window: { context_window_size: 20000 } });
  });
});
