// Floor prototype (a minimal program for comparison with Baton) for bench part P8. One tmux control client lists all
// panes once a second and notices which programs have ended.
//
//   node bench/floor/watch.mjs SOCKET     prints "ready" after the first list

import { spawn } from 'node:child_process';

const [socket = ''] = process.argv.slice(2);
const child = spawn('tmux', ['-S', socket, '-N', '-C', 'attach-session', '-f', 'no-output,ignore-size'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const FORMAT = ['pid', 'start_time', 'pane_id', 'pane_pid', 'pane_dead', 'session_name']
  .map((field) => `#{${field}}`)
  .join('|');
const dead = new Set();
let isReady = false;

child.stdout.setEncoding('utf8').on('data', (chunk) => {
  for (const line of chunk.split('\n')) {
    const [, , pane, , isDead] = line.split('|');
    if (isDead === undefined) continue;
    if (isDead === '1') dead.add(pane);
    if (!isReady) process.stdout.write('ready\n');
    isReady = true;
  }
});
child.once('exit', () => process.exit(1));
const list = () => child.stdin.write(`list-panes -a -F '${FORMAT}'\n`);
list();
setInterval(list, 1_000);
