import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {{ atMs: number, lines: string[] }} Frame */

const LOOK_EVERY_MS = 60;
const MAX_MS_LENGTH = 120_000;

/**
 * Runs a program in a separate tmux and captures its screen until it has ended. Each change of the screen is a frame.
 *
 * @param {string[]} command
 * @param {{ columns: number, rows: number, prompt: string }} options
 * @returns {Promise<Frame[]>}
 */
export async function recordPane(command, { columns, rows, prompt }) {
  const socket = `record-${process.pid}`;
  /** @param {string[]} args */
  const tmux = (...args) => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, 'sleep', '600', ';', 'set-option', '-g', 'remain-on-exit', 'on');
  try {
    tmux('respawn-pane', '-k', ...command);
    const began = performance.now();
    /** @type {Frame[]} */
    const frames = [{ atMs: 0, lines: [prompt] }];
    for (let isOver = false; !isOver; ) {
      isOver = tmux('display-message', '-p', '#{pane_dead}').trim() === '1';
      const atMs = performance.now() - began;
      if (atMs > MAX_MS_LENGTH) throw new Error('the program did not end');
      const seen = tmux('capture-pane', '-p').trimEnd().split('\n');
      const lines = [prompt, ...seen.filter((line) => !line.startsWith('Pane is dead'))];
      if (lines.join('\n') !== frames.at(-1)?.lines.join('\n')) frames.push({ atMs, lines });
      await pause(LOOK_EVERY_MS);
    }
    return frames;
  } finally {
    tmux('kill-server');
  }
}
