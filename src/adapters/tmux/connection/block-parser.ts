import { StringDecoder } from 'node:string_decoder';

/** tmux's answer to one command. A line with several commands gets several answers. */
export interface Block {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

export interface BlockEvents {
  onBlock(block: Block): void;
  onNotice(line: string): void;
  /** Called when the output of tmux breaks its protocol, so that later output cannot be trusted. */
  onBroken(message: string): void;
}

/**
 * tmux puts this mark on a block that answers a line from Baton. The block for `attach-session` has no such mark, and
 * may come after the answers to Baton's first lines (tmux 3.3a).
 */
const ASKED = ' 1';

/**
 * Parses the output of tmux's control mode. A captured screen in a block is untrusted, so the last line of a block must
 * have the same numbers as its first line. If a program on the screen guesses these numbers, the block ends too early.
 * tmux then sends the real last line outside of a block, and the stream is reported as broken.
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
