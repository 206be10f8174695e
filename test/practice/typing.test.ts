import { afterEach, describe, expect, it } from 'vitest';
import { PracticePane, stopAllPanes } from './practice-pane.ts';

afterEach(stopAllPanes);

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i + 1}: "quotes" \`ticks\` $HOME ä 漢字 😀 ; /x #y !z`).join(
    '\n',
  );
}

describe('the composer of the practice agent', () => {
  it("the practice agent's composer accepts a 3 KB paste unchanged", async () => {
    const pane = await PracticePane.start();
    const text = lines(55);
    expect(Buffer.byteLength(text)).toBeGreaterThan(2900);
    await pane.paste(text);
    await pane.until('chip', async () => (await pane.screen()).includes('❯\u00a0[Pasted text #1 +54 lines]'));
    expect(pane.log('submitted')).toEqual([]);
    await pane.press('Enter');
    await pane.until('submitted', () => pane.log('submitted').length === 1);
    expect(pane.log('submitted')[0]?.text).toBe(text);
    expect(pane.log('paste')).toHaveLength(1);
    expect(pane.hooks('UserPromptSubmit')[0]?.prompt).toBe(text);
    expect(pane.receivedBytes()).toEqual(Buffer.from(`\x1b[200~${text}\x1b[201~\r`));
  });

  it("the practice agent's composer shows a draft with the cursor after the text", async () => {
    const pane = await PracticePane.start();
    await pane.type('hällo');
    await pane.until('draft', async () => (await pane.screen()).includes('❯\u00a0hällo'));
    expect(await pane.field('cursor_x')).toBe('7');
    await pane.press('BSpace', 'Left', 'C-j', 'x');
    await pane.until('edited draft', async () => /❯\u00a0häll\n {2}x/.test(await pane.screen()));
    await pane.press('C-u');
    await pane.until('empty composer', async () => (await pane.field('cursor_x')) === '2');
    expect(pane.log('enter')).toEqual([]);
  });

  it("a carriage return submits the text in the practice agent's composer, but not inside a bracketed paste", async () => {
    const pane = await PracticePane.start();
    await pane.type('[[practice:say one]]\r[[practice:say two]]\r');
    await pane.until('both', () => pane.log('turn_ended').length === 2);
    expect(pane.log('submitted').map((entry) => entry.text)).toEqual(['[[practice:say one]]', '[[practice:say two]]']);
  });

  it("Enter does not submit a suggestion in the practice agent's composer", async () => {
    const pane = await PracticePane.start({ behaviour: { suggestion: 'run the tests now' } });
    await pane.shows('❯\u00a0run the tests now');
    expect(await pane.field('cursor_x')).toBe('2');
    await pane.press('Enter');
    await pane.until('enter', () => pane.log('enter').length === 1);
    expect(pane.log('enter')[0]?.effect).toBe('nothing');
    await pane.type('mine');
    await pane.until('draft', async () => (await pane.field('cursor_x')) === '6');
    expect(await pane.screen()).not.toContain('run the tests');
  });

  it("the practice agent's composer can be configured to take Enter right after typed text as a newline", async () => {
    const pane = await PracticePane.start({ behaviour: { burstMs: 2000 } });
    await pane.type('first\r');
    await pane.until('newline', () => pane.log('enter').length === 1);
    expect(pane.log('enter')[0]?.effect).toBe('newline');
    await pane.until('later Enter', async () => {
      await new Promise((done) => setTimeout(done, 2100));
      await pane.press('Enter');
      return pane.log('submitted').length === 1;
    });
    expect(String(pane.log('submitted')[0]?.text)).toMatch(/^first\n+$/);
  });

  it("the practice agent's composer can be configured to ignore the first presses of Enter", async () => {
    const pane = await PracticePane.start({ behaviour: { swallowEnters: 2 } });
    await pane.type('[[practice:say hi]]');
    await pane.press('Enter', 'Enter');
    await pane.until('two Enters', () => pane.log('enter').length === 2);
    expect(pane.log('submitted')).toEqual([]);
    await pane.press('Enter');
    await pane.until('submitted', () => pane.log('submitted').length === 1);
  });

  it("the practice agent's composer draws hostile text as plain characters", async () => {
    const pane = await PracticePane.start();
    await pane.promptAndFinish(
      '\x1b]0;owned\x07\x1b[2J\x1b[H\x9b31m evil [[practice:say \x1b[?1049l\x1b]52;c;aGk=\x07 loud]]',
    );
    await pane.until('shown', async () => (await pane.screen()).includes(']52;c;aGk= loud'));
    expect(pane.log('submitted')[0]?.text).toContain('\x1b[2J');
    await pane.shows(/^✻ Practice agent · Ada · demo\n/);
    expect(await pane.field('alternate_on')).toBe('1');
    expect(await pane.field('pane_title')).not.toContain('owned');
  });

  it("the practice agent's composer is redrawn after a resize", async () => {
    const pane = await PracticePane.start({ size: [40, 10] });
    await pane.type('a'.repeat(60));
    await pane.until('wrapped draft', async () => /❯\u00a0a{37}\n {2}a{23}\n/.test(await pane.screen()));
    expect((await pane.screen()).split('\n')[9]).toContain('context used');
    await pane.tmux('resize-window', '-t', 'agent', '-x', '90', '-y', '20');
    await pane.until('new layout', async () => /❯\u00a0a{60}\n/.test(await pane.screen()));
    expect((await pane.screen()).split('\n')[19]).toContain('context used');
  });

  it('an unknown command fires no hook of the practice agent', async () => {
    const pane = await PracticePane.start();
    await pane.type('/frobnicate');
    await pane.press('Enter');
    await pane.until('answer', async () => (await pane.screen()).includes('Unknown command: /frobnicate'));
    await pane.type('!ls');
    await pane.press('Enter');
    await pane.until('answer', async () => (await pane.screen()).includes('shell mode is off in practice'));
    expect(pane.hookNames()).toEqual(['SessionStart']);
    await pane.promptAndFinish('/etc/passwd is a file');
    expect(pane.hooks('UserPromptSubmit')).toHaveLength(1);
  });
});
