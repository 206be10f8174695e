import { describe, expect, it } from 'vitest';
import { type Block, createBlockParser } from '../../../src/adapters/tmux/connection/block-parser.ts';

function parse(chunks: readonly Buffer[]) {
  const blocks: Block[] = [];
  const notices: string[] = [];
  const broken: string[] = [];
  const feed = createBlockParser({
    onBlock: (block) => blocks.push(block),
    onNotice: (line) => notices.push(line),
    onBroken: (message) => broken.push(message),
  });
  for (const chunk of chunks) feed(chunk);
  return { blocks, notices, broken };
}

const STREAM =
  '%begin 7 1 1\nhé❯\n%end 7 1 1\n%sessions-changed\n%begin 7 2 1\nbad\n%error 7 2 1\n%begin 7 3 1\n%end 7 3 1\n';

describe('the parser of tmux answers', () => {
  it("the tmux answer parser gives the same answers, no matter where tmux's output is split", () => {
    const bytes = Buffer.from(STREAM);
    const whole = parse([bytes]);
    expect(whole.blocks).toEqual([
      { lines: ['hé❯'], failed: false },
      { lines: ['bad'], failed: true },
      { lines: [], failed: false },
    ]);
    expect(whole.notices).toEqual(['%sessions-changed']);
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
  });

  it('the tmux answer parser ignores text on a screen that imitates the tmux protocol', () => {
    const screen = ['%end 7 8 1', '%error 7 10 1', '%exit', '%begin 7 9 1', '%end 7 9 0'];
    const { blocks, notices } = parse([Buffer.from(`%begin 7 9 1\n${screen.join('\n')}\n%end 7 9 1\n`)]);
    expect(blocks).toEqual([{ lines: screen, failed: false }]);
    expect(notices).toEqual([]);
  });

  it('the tmux answer parser skips answers to other clients', () => {
    expect(parse([Buffer.from('%begin 7 9 0\nx\n%error 7 9 0\n')])).toEqual({ blocks: [], notices: [], broken: [] });
  });

  it('the tmux answer parser is not misled by text on a screen that imitates the end of an answer', () => {
    expect(parse([Buffer.from('%begin 7 9 1\n%end 7 9 1\n%end 7 9 1\n')]).broken).toHaveLength(1);
  });
});
