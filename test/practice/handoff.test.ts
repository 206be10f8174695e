import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type PaneOptions, PracticePane, stopAllPanes } from './practice-pane.ts';

afterEach(stopAllPanes);

const PLAN = "- [ ] Choose a format\n- [ ] Write the parser's core\n- [ ] Document it\n";
const HEADINGS = [
  '# Handoff',
  '## What I was working on',
  '## Progress and state',
  '## Decisions and why',
  '## Blockers',
  '## Files modified',
  '## Next steps',
];
const MARKER = '<!-- handoff-end:tok_1-A -->';

function documentPath(pane: PracticePane): string {
  return join(pane.dir, 'handoffs', '3', 'ada.md');
}

function instruction(pane: PracticePane): string {
  return `Please write your handoff document to ${documentPath(pane)}.\nEnd it with the line\n${MARKER}\n`;
}

async function instructed(handoff: string): Promise<PracticePane> {
  const pane = await PracticePane.start({ behaviour: { handoff } });
  await pane.prompt(instruction(pane));
  return pane;
}

async function finished(handoff: string): Promise<PracticePane> {
  const pane = await instructed(handoff);
  await pane.until('end of turn', () => pane.log('turn_ended').length === 1);
  return pane;
}

describe('the handoff document of the practice agent', () => {
  it("the practice agent's document has six sections and ends with the end marker", async () => {
    const pane = await PracticePane.start({ plan: PLAN });
    await pane.promptAndFinish('go on');
    await pane.promptAndFinish(instruction(pane));
    const document = readFileSync(documentPath(pane), 'utf8');
    expect(document.split('\n').filter((line) => line.startsWith('#'))).toEqual(HEADINGS);
    expect(document.endsWith(`\n${MARKER}\n`)).toBe(true);
    expect(document).toContain('- Done: Choose a format');
    expect(document).toContain('- `notes/step-1-choose-a-format.md`: ');
    expect(document).toContain("1. Write the parser's core\n2. Document it");
    expect(document).toMatch(/- I chose .* because /);
  });

  it('a practice agent with the behavior "ignore" writes no document', async () => {
    const pane = await finished('ignore');
    expect(pane.hooks('Stop')[0]?.last_assistant_message).toContain('## Next steps');
    expect(existsSync(join(pane.dir, 'handoffs'))).toBe(false);
  });

  it('a practice agent with the behavior "empty" writes an empty document', async () => {
    expect(statSync(documentPath(await finished('empty'))).size).toBe(0);
  });

  it('a practice agent with the behavior "wrong_path" writes the document next to the requested path', async () => {
    const pane = await finished('wrong_path');
    expect(readdirSync(join(pane.dir, 'handoffs', '3'))).toEqual(['my-handoff-notes.md']);
  });

  it('a practice agent with the behavior "no_marker" writes a document without the end marker', async () => {
    const document = readFileSync(documentPath(await finished('no_marker')), 'utf8');
    expect(document).toContain('## Next steps');
    expect(document).not.toContain('handoff-end');
  });

  it('a practice agent with the behavior "symlink" puts a symbolic link at the requested path', async () => {
    const path = documentPath(await finished('symlink'));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(MARKER);
  });

  it('a practice agent with the behavior "huge" writes a document of one byte more than 1 MiB', async () => {
    const path = documentPath(await finished('huge'));
    expect(statSync(path).size).toBe(1024 * 1024 + 1);
    expect(readFileSync(path, 'utf8').endsWith(`\n${MARKER}\n`)).toBe(true);
  });

  it('a practice agent with the behavior "dialog" writes no document until its permission dialog is approved', async () => {
    const pane = await instructed('dialog');
    await pane.until('request', () => pane.hooks('Notification').length === 1);
    expect(pane.hooks('PermissionRequest')[0]).toMatchObject({ tool_name: 'Write' });
    expect(existsSync(documentPath(pane))).toBe(false);
    await pane.press('Enter');
    await pane.until('end of turn', () => pane.log('turn_ended').length === 1);
    expect(existsSync(documentPath(pane))).toBe(true);
  });

  it('a practice agent with the behavior "crash" ends its process in the middle of the turn', async () => {
    const pane = await instructed('crash');
    expect(await pane.exitCode()).toBe(1);
    expect(existsSync(documentPath(pane))).toBe(false);
    expect(pane.hooks('Stop')).toEqual([]);
  });

  it('a practice agent with the behavior "slow" writes the document bit by bit', async () => {
    const pane = await instructed('slow');
    const path = documentPath(pane);
    await pane.until('a part', () => existsSync(path) && statSync(path).size > 0);
    expect(readFileSync(path, 'utf8')).not.toContain(MARKER);
    await pane.until('end of turn', () => pane.log('turn_ended').length === 1);
    expect(readFileSync(path, 'utf8').endsWith(`\n${MARKER}\n`)).toBe(true);
  });

  it('a practice agent with the behavior "compact" compacts its context before the document is written', async () => {
    const pane = await finished('compact');
    const expected = 'UserPromptSubmit PreCompact SessionStart PostCompact PreToolUse PostToolUse Stop'.split(' ');
    expect(pane.hookNames().slice(1)).toEqual(expected);
    expect(existsSync(documentPath(pane))).toBe(true);
  });
});

async function successor(options: PaneOptions = {}): Promise<PracticePane> {
  const pane = await PracticePane.start(options);
  mkdirSync(join(pane.dir, 'handoffs', '3'), { recursive: true });
  const body = [
    'I was building the parser; it\'s "half" done & $HOME matters. More.',
    '- Done: Choose a format',
    '- I chose CSV because it is simple.',
    'Nothing.',
    '- `src/a.ts`: the parser',
    "1. Write the parser's core\n2. Document it",
  ];
  const sections = HEADINGS.slice(1).map((heading, index) => `${heading}\n\n${body[index]}\n`);
  writeFileSync(documentPath(pane), `# Handoff\n\n${sections.join('\n')}\n${MARKER}\n`);
  return pane;
}

function fakeBaton(pane: PracticePane, exitCode: number): void {
  const file = join(pane.dir, 'bin', 'baton');
  const out = join(pane.dir, 'baton-args');
  writeFileSync(
    file,
    `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word" >> ${out}; done\necho seen\nexit ${exitCode}\n`,
  );
  chmodSync(file, 0o755);
}

function injection(pane: PracticePane): string {
  return `You take over from Ada. Read ${documentPath(pane)} whole, then run: baton ack 3 --proof <token> --task '<task>'`;
}

describe('the practice agent as a successor', () => {
  it('as a successor, the practice agent acknowledges with the proof token and restates the task', async () => {
    const pane = await successor({ plan: PLAN });
    fakeBaton(pane, 0);
    await pane.promptAndFinish(injection(pane));
    const task = 'I was building the parser; it\'s "half" done & $HOME matters.';
    expect(pane.text('baton-args').split('\n').slice(0, -1)).toEqual([
      'ack',
      '3',
      '--proof',
      'tok_1-A',
      '--task',
      task,
    ]);
    const [read, bash, ...later] = pane.log('tool');
    expect(read).toMatchObject({ name: 'Read', input: { file_path: documentPath(pane) } });
    expect(bash).toMatchObject({ name: 'Bash', exit_code: 0, output: 'seen' });
    expect(later.map((entry) => entry.name)).toEqual(['Read', 'Write', 'Write']);
    expect(pane.text('demo/notes/step-2-write-the-parser-s-core.md')).toContain("Write the parser's core");
    await pane.promptAndFinish(`Write it to ${pane.dir}/handoffs/4/b.md and end with <!-- handoff-end:X -->`);
    const next = pane.text('handoffs/4/b.md');
    for (const known of ['I chose CSV', 'src/a.ts', '1. Document it', 'Done: Choose a format'])
      expect(next).toContain(known);
  });

  it('as a successor, a practice agent with the behavior "wrong_proof" sends a wrong token and starts no work', async () => {
    const pane = await successor({ behaviour: { injection: 'wrong_proof' }, plan: PLAN });
    fakeBaton(pane, 1);
    await pane.promptAndFinish(injection(pane));
    expect(pane.text('baton-args')).toContain('--proof\nnot-tok_1-A\n');
    expect(pane.log('tool').map((entry) => entry.name)).toEqual(['Read', 'Bash']);
  });

  it('as a successor, a practice agent with the behavior "ignore" runs no tool', async () => {
    const pane = await successor({ behaviour: { injection: 'ignore' } });
    fakeBaton(pane, 0);
    await pane.promptAndFinish(injection(pane));
    expect(pane.log('tool')).toEqual([]);
    expect(pane.text('baton-args')).toBe('');
  });
});
