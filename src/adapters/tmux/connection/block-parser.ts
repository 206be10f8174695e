import { StringDecoder } from 'node:string_decoder';

/** The answer to one command; a line with several commands gets several answers. */
export interface Block {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

export interface BlockEvents {
  onBlock(block: Block): void;
  onNotice(line: string): void;
  /** Called when the stream can no longer be trusted. */
  onBroken(message: string): void;
}

/**
 * Blocks without this flag do not answer a line of ours. The block of `attach-session` may come after our first answers
 * (3.3a).
 */
const ASKED = ' 1';

/**
 * Reads tmux's control mode. A captured screen is untrusted and unescaped inside a block, so a block ends only with the
 * very numbers that it began with. If a program guesses those numbers, the real end of the block becomes a stray end,
 * which is reported as broken.
 */
export function createBlockParser(events: BlockEvents): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let open: { readonly guard: string; readonly lines: string[] } | undefined;

  function readLine(line: string): void {
    if (open !== undefined) {
      if (line === `%end ${open.guard}` || line === `%error ${open.guard}`) {
        const block = { lines: open.lines, failed: line.startsWith('%error') };
        const asked = open.guard.endsWith(ASKED);
        open = undefined;
        if (asked) events.onBlock(block);
      } else {
        open.lines.push(line);
      }
    } else if (line.startsWith('%begin ')) {
      open = { guard: line.slice('%begin '.length), lines: [] };
    } else if (line.startsWith('%end ') || line.startsWith('%error ')) {
      events.onBroken(`tmux sent "${line}" outside a reply`);
    } else if (line.startsWith('%')) {
      events.onNotice(line);
    }
  }

  return (chunk) => {
    const lines = (pending + decoder.write(chunk)).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) readLine(line);
  };
}
