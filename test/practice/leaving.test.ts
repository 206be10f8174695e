import { afterEach, describe, expect, it } from 'vitest';
import { PracticePane, stopAllPanes } from './practice-pane.ts';

afterEach(stopAllPanes);

async function command(pane: PracticePane, text: string): Promise<void> {
  await pane.type(text);
  await pane.press('Enter');
}

describe('a practice agent that leaves', () => {
  it('the practice agent exits 0 when /exit is typed', async () => {
    const pane = await PracticePane.start();
    await command(pane, '/exit');
    expect(await pane.exitCode()).toBe(0);
    expect(pane.hooks('SessionEnd')).toMatchObject([{ reason: 'prompt_input_exit' }]);
    expect(pane.log('exit')).toMatchObject([{ code: 0, reason: '/exit' }]);
    expect(await pane.field('alternate_on')).toBe('0');
  });

  it('the practice agent exits at once when /exit is typed during a turn', async () => {
    const pane = await PracticePane.start({ hooks: { SessionEnd: 'touch go-on; sleep 1' } });
    await pane.prompt('[[practice:await go-on]] [[practice:write late.txt x]]');
    await command(pane, '/exit');
    expect(await pane.exitCode()).toBe(0);
    expect(pane.text('demo/late.txt')).toBe('');
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit', 'SessionEnd']);
  });

  it('the practice agent takes /exit as part of the prompt if there is a draft in the composer', async () => {
    const pane = await PracticePane.start();
    await pane.type('some draft ');
    await command(pane, '/exit');
    await pane.until('submitted', () => pane.log('submitted').length === 1);
    expect(pane.log('submitted')[0]?.text).toBe('some draft /exit');
  });

  it('the practice agent exits only when Ctrl-C is pressed twice', async () => {
    const pane = await PracticePane.start();
    await pane.press('C-c');
    await pane.until('notice', async () => (await pane.screen()).includes('Press Ctrl-C again to exit'));
    await pane.press('C-c');
    expect(await pane.exitCode()).toBe(0);
  });

  it('the practice agent fires the SessionEnd hook on SIGTERM', async () => {
    const pane = await PracticePane.start();
    process.kill(Number(await pane.field('pane_pid')), 'SIGTERM');
    expect(await pane.exitCode()).toBe(143);
    expect(pane.hooks('SessionEnd')).toMatchObject([{ reason: 'other' }]);
  });

  it('the practice agent fires the SessionEnd hook when its tmux session is killed', async () => {
    const pane = await PracticePane.start();
    await pane.tmux('kill-session', '-t', '=agent');
    await pane.until('exit', () => pane.log('exit').length === 1);
    expect(pane.hooks('SessionEnd')).toMatchObject([{ reason: 'other' }]);
  });

  it('the practice agent fires no SessionEnd hook when it crashes', async () => {
    const pane = await PracticePane.start();
    await pane.prompt('[[practice:crash]]');
    expect(await pane.exitCode()).toBe(1);
    expect(pane.hookNames()).toEqual(['SessionStart', 'UserPromptSubmit']);
  });

  it('the practice agent can be configured to ignore /exit', async () => {
    const pane = await PracticePane.start({ behaviour: { exit: 'ignore' } });
    await command(pane, '/exit');
    await pane.until('refusal', async () => (await pane.screen()).includes('I would rather stay.'));
    await pane.promptAndFinish('[[practice:say still here]]');
    expect(pane.hooks('SessionEnd')).toEqual([]);
  });

  it('the practice agent can be configured to leave a shell running in its pane after /exit', async () => {
    const pane = await PracticePane.start({ behaviour: { exit: 'shell' } });
    await command(pane, '/exit');
    await pane.until('shell', async () => (await pane.field('pane_current_command')) === 'sh');
    await command(pane, 'echo "ran in $PWD" > fell.txt');
    await pane.until('command run', () => pane.text('demo/fell.txt') === `ran in ${pane.project}\n`);
    expect(pane.hooks('SessionEnd')).toHaveLength(1);
    expect(pane.receivedBytes().toString()).toBe('/exit\r');
  });
});

describe('a practice agent that continues in the same process', () => {
  it('the practice agent has a new session id after /clear', async () => {
    const pane = await PracticePane.start();
    await pane.promptAndFinish('[[practice:context 70]]');
    await command(pane, '/clear');
    await pane.until('new session', () => pane.hooks('SessionStart').length === 2);
    expect(pane.hookNames().slice(-2)).toEqual(['SessionEnd', 'SessionStart']);
    expect(pane.hooks('SessionEnd')[0]).toMatchObject({ reason: 'clear', session_id: pane.sessionId });
    expect(pane.hooks('SessionStart')[1]).toMatchObject({ source: 'clear' });
    expect(pane.hooks('SessionStart')[1]?.session_id).not.toBe(pane.sessionId);
    await pane.until('base usage', async () => (await pane.screen()).includes('  5% context used'));
  });

  it("compaction reduces the practice agent's context use to 20 % and keeps the session id", async () => {
    const pane = await PracticePane.start();
    await pane.promptAndFinish('[[practice:context 70]]');
    await command(pane, '/compact');
    await pane.until('compacted', () => pane.hooks('PostCompact').length === 1);
    expect(pane.hookNames().slice(-3)).toEqual(['PreCompact', 'SessionStart', 'PostCompact']);
    expect(pane.hooks('SessionStart')[1]).toMatchObject({ source: 'compact', session_id: pane.sessionId });
    await pane.until('usage', async () => (await pane.screen()).includes('  20% context used'));
  });
});
