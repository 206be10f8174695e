// A terminal program in raw mode with a composer, for the tests of the tmux adapter. Its only argument is JSON:
// { log, startWhen, dialog: 'start' | 'afterPaste' | 'afterEnter', busy, swallowEnters, burstMs, burstEnters, dropPaste,
//   dieOnPaste, draft, clock, echoDelayMs }
// burstMs: an Enter within this many milliseconds after other input only adds a line break.
// burstEnters: after burstMs, this many presses of Enter still only add a line break.
// dieOnPaste: the program dies before it draws the pasted text.
// The signal SIGUSR2 opens the dialog.
// The file <log> gets every received byte, <log>.submitted one JSON string for each prompt, and <log>.approved one "x"
// for each Enter in a dialog.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';

const options = JSON.parse(process.argv[2]);
const { log } = options;
let input = '';
let draft = options.draft ?? '';
let paste;
let dialog = options.dialog === 'start';
let busy = options.busy === true;
let swallow = options.swallowEnters ?? 0;
let burstEnters = options.burstEnters ?? 0;
let lastByteAt = 0;
let ticks = 0;

const shownDraft = () => (/^[^\n]{0,100}$/.test(draft) ? draft : `[Pasted ${draft.length} chars]`);

function draw() {
  const lines = [`raw agent${options.clock ? ` ${ticks}` : ''}`];
  if (dialog) lines.push('DIALOG Allow this? 1. Yes 2. No');
  else lines.push(busy ? 'BUSY' : '', '', `❯\u00a0${shownDraft()}`);
  process.stdout.write(`\x1b[2J\x1b[H${lines.join('\r\n')}`);
}

function submit() {
  appendFileSync(`${log}.submitted`, `${JSON.stringify(draft)}\n`);
  if (draft === '/exit') process.exit(0);
  draft = '';
  if (options.dialog === 'afterEnter') dialog = true;
  else {
    busy = true;
    setTimeout(() => {
      busy = false;
      draw();
    }, 150);
  }
}

function enter(sinceLast) {
  if (dialog) appendFileSync(`${log}.approved`, 'x');
  else if (sinceLast < (options.burstMs ?? 0) || burstEnters-- > 0) draft += '\n';
  else if (swallow > 0) swallow--;
  else if (draft !== '') submit();
}

function pasted(text) {
  if (options.dieOnPaste) process.exit(0);
  if (!options.dropPaste) draft += text;
  if (options.dialog === 'afterPaste') dialog = true;
}

function take(sinceLast) {
  for (;;) {
    if (paste !== undefined) {
      const end = input.indexOf('\x1b[201~');
      if (end < 0) return;
      pasted(Buffer.from(input.slice(0, end), 'latin1').toString('utf8'));
      input = input.slice(end + 6);
      paste = undefined;
    } else if (input.startsWith('\x1b[200~')) {
      input = input.slice(6);
      paste = true;
    } else if (input === '' || '\x1b[200~'.startsWith(input)) {
      return;
    } else {
      const key = input[0];
      input = input.slice(1);
      if (key === '\r') enter(sinceLast);
      else if (key >= ' ') draft += key;
    }
  }
}

process.stdin.setRawMode(true);
process.stdin.on('data', (chunk) => {
  appendFileSync(log, chunk);
  if (options.echoDelayMs) setTimeout(() => takeChunk(chunk), options.echoDelayMs);
  else takeChunk(chunk);
});

function takeChunk(chunk) {
  const now = Date.now();
  input += chunk.toString('latin1');
  take(now - lastByteAt);
  lastByteAt = now;
  draw();
}

process.on('SIGUSR2', () => {
  dialog = true;
  draw();
});
process.on('SIGHUP', () => process.exit(0));
writeFileSync(log, '', { flag: 'a' });

function start() {
  process.stdout.write('\x1b[?2004h');
  draw();
  if (options.clock) {
    setInterval(() => {
      ticks++;
      draw();
    }, 20);
  }
}

if (options.startWhen === undefined) start();
else {
  const waiting = setInterval(() => {
    if (!existsSync(options.startWhen)) return;
    clearInterval(waiting);
    start();
  }, 20);
}
