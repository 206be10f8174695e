import { spawn } from 'node:child_process';

/** A persistent tmux control client that runs one command line after another and nothing else. */
export class ControlClient {
  /** @type {{ resolve: (lines: string[]) => void, reject: (error: Error) => void }[]} */
  waiting = [];
  /** @type {string[] | undefined} */
  block;
  rest = '';

  /** @param {string} socket */
  constructor(socket) {
    const words = [
      '-u',
      '-f',
      '/dev/null',
      '-S',
      socket,
      '-C',
      'new-session',
      '-s',
      'control',
      '-x',
      '180',
      '-y',
      '50',
    ];
    this.child = spawn('tmux', words, { stdio: ['pipe', 'pipe', 'inherit'] });
    // Wait for tmux's answer to new-session.
    this.ready = this.answer(1);
    this.child.stdout.setEncoding('latin1').on('data', (chunk) => this.take(chunk));
  }

  /** @param {string} chunk */
  take(chunk) {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.takeLine(line);
  }

  /** @param {string} line */
  takeLine(line) {
    const end = line.startsWith('%end ');
    if (line.startsWith('%begin ')) this.block = [];
    else if (this.block !== undefined && (end || line.startsWith('%error '))) {
      const { block } = this;
      this.block = undefined;
      const next = this.waiting.shift();
      if (end) next?.resolve(block);
      else next?.reject(new Error(`tmux refused a command: ${block.join(' ')}`));
    } else this.block?.push(line);
  }

  /** @param {number} commands the number of commands in the line; tmux answers each command with a block of lines */
  answer(commands) {
    const blocks = Array.from(
      { length: commands },
      () =>
        new Promise((/** @type {(lines: string[]) => void} */ resolve, reject) => {
          this.waiting.push({ resolve, reject });
        }),
    );
    return Promise.all(blocks);
  }

  /** @param {string[]} commands */
  async run(...commands) {
    const answer = this.answer(commands.length);
    this.child.stdin.write(`${commands.join(' ; ')}\n`);
    return (await answer).map(([first = '']) => first);
  }

  /**
   * Pastes a text and presses Enter.
   *
   * @param {string} pane
   * @param {string} text
   */
  type(pane, text) {
    const buffer = `floor-${pane.slice(1)}`;
    return this.run(
      `set-buffer -b ${buffer} -- ${quote(text)}`,
      `paste-buffer -p -d -r -b ${buffer} -t ${pane}`,
      `send-keys -t ${pane} Enter`,
    );
  }

  close() {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin.write('kill-server\n');
    return gone;
  }
}

const WRITTEN = Array.from({ length: 256 }, (_, byte) =>
  /[0-9A-Za-z ]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
);

/**
 * Encodes a text as one word for tmux's command parser: writes every byte in octal, except letters, digits and blanks.
 * @param {string} text
 */
export function quote(text) {
  let word = '"';
  for (const byte of Buffer.from(text, 'utf8')) word += WRITTEN[byte];
  return `${word}"`;
}
