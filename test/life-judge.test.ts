import { expect, test } from 'vitest';
import { howToAnswer } from '../src/domain/agents/question.ts';
import { type Pane, type Status, shownIn, typedWhileWorking } from './clients/life/judge/judge.mjs';
import { sentencesIn, wrongAdvice } from './clients/life/judge/sentences.mjs';

const PROMPT = 'Con, your session is about to be handed over. [baton:x-instruction]';

/**
 * Creates a pane whose text is drawn as the client draws it: word by word, with cursor moves in place of blanks, and in
 * two writes.
 */
function paneThatShows(text: string, at: number): Pane {
  const drawn = `\x1b[2;1H❯\u00a0${text.replaceAll(' ', '\x1b[1C')}\x1b[0m`;
  const bytes = Buffer.from(drawn);
  const chunks = [
    { at: at - 500, bytes: Buffer.from('\x1b[?25l❯\u00a0\x1b[') },
    { at: at - 400, bytes: Buffer.from('0m') },
    { at, bytes: bytes.subarray(0, 40) },
    { at: at + 20, bytes: bytes.subarray(40) },
  ];
  return { pane: '%1', pid: 7, file: '', size: 0, chunks };
}

function judge(statuses: Status[], shownAt: number, submitted: { at: number; prompt: string }[], text = PROMPT) {
  const panes = new Map([['%1', paneThatShows(text, shownAt)]]);
  const shown = shownIn(panes, [{ text: PROMPT }]);
  const noted = submitted.map((each) => ({ ...each, session: 's' }));
  const found = typedWhileWorking({ statuses: new Map([[7, statuses]]), panes }, shown, noted, [PROMPT]);
  return { shownAt: shown[0]?.at, typed: found.length };
}

const turn = (...changes: [at: number, status: string][]) => changes.map(([at, status]) => ({ at, status }));

test('the judge finds the time at which a text was drawn in a recorded pane', () => {
  expect(judge(turn([0, 'idle']), 5_000, []).shownAt).toBe(5_000);
});

test('the judge does not count text that was typed just before a turn as typed into a working agent', () => {
  const statuses = turn([0, 'idle'], [5_200, 'busy'], [9_000, 'idle']);
  expect(judge(statuses, 5_000, [{ at: 5_250, prompt: PROMPT }]).typed).toBe(0);
});

test('the judge does not count a prompt after a finished turn as typed into a working agent', () => {
  const statuses = turn([0, 'idle'], [4_000, 'busy'], [4_500, 'idle'], [5_100, 'busy']);
  const submitted = [
    { at: 4_050, prompt: 'Go on.' },
    { at: 5_150, prompt: PROMPT },
  ];
  expect(judge(statuses, 5_120, submitted).typed).toBe(0);
});

test('if a text is drawn only after its own turn has begun, the judge does not count the text as typed into a working agent', () => {
  const statuses = turn([0, 'idle'], [4_600, 'busy']);
  expect(judge(statuses, 5_000, [{ at: 4_650, prompt: PROMPT }]).typed).toBe(0);
});

test.each([
  ['a turn', 'busy', []],
  ['a turn of another prompt, right after it began', 'busy', [{ at: 4_700, prompt: 'Go on.' }]],
  ['a dialog', 'waiting', []],
])('the judge counts text that was typed during %s as typed into a working agent', (_what, status, submitted) => {
  const began = submitted.length > 0 ? 4_650 : 1_000;
  const statuses = turn([0, 'idle'], [began, status]);
  expect(judge(statuses, 5_000, [...submitted, { at: 5_100, prompt: PROMPT }]).typed).toBe(1);
});

test('the judge counts text that was pasted during a turn as typed into a working agent, even if the text is never submitted', () => {
  const statuses = turn([0, 'idle'], [1_000, 'busy']);
  expect(judge(statuses, 5_000, [], '[Pasted text #1 +12 lines]').typed).toBe(1);
});

test('a text that was pasted and then submitted is found once in the recorded pane', () => {
  const paste = paneThatShows('[Pasted text #1 +12 lines]', 5_000);
  const panes = new Map([['%1', { ...paste, chunks: [...paste.chunks, ...paneThatShows(PROMPT, 9_000).chunks] }]]);
  expect(shownIn(panes, [{ text: PROMPT }])).toEqual([{ text: PROMPT, at: 5_000, pane: '%1' }]);
});

test('while only a background shell runs, the judge does not count text as typed into a working agent', () => {
  expect(judge(turn([0, 'busy'], [2_000, 'shell']), 5_000, []).typed).toBe(0);
});

test("the judge does not take a short pause before a queued prompt for the end of the agent's work", () => {
  const statuses = turn([0, 'busy'], [4_700, 'idle'], [4_840, 'busy']);
  expect(judge(statuses, 5_000, [{ at: 2_500, prompt: 'Queued.' }]).typed).toBe(1);
});

test('sentencesIn returns only texts of several words that Baton wrote', () => {
  const told = {
    state: 'idle',
    activity: 'what the operator said',
    failure: { sentence: 'It did not come.' },
    ids: [1],
  };
  expect(sentencesIn(told)).toEqual([['failure.sentence', 'It did not come.']]);
});

const CHOICE = howToAnswer(7, { id: 'q', text: 'Go on?', options: [{ number: 1, label: 'Yes' }], takesText: false });
const ONLY_TERMINAL = howToAnswer(7, { id: 'q', text: 'Which?', options: [], takesText: false });

test.each([
  ['Agent 7 has no open question: it is idle (it finished its turn).', 1],
  ['Baton cannot read the question of agent 7 from its screen (it asks something).', 1],
  [`Which?\nquestion q\n${ONLY_TERMINAL}`, 0],
])(
  "if `baton agent answer` prints %j, the judge reports the inbox's advice to answer with --choice as wrong",
  (output, code) => {
    expect(wrongAdvice(['Con asks: Go on?', CHOICE], { code, output })).toContain(output);
  },
);

test("the judge accepts an inbox item's advice to answer with --choice if `baton agent answer` offers --choice, too", () => {
  expect(wrongAdvice([CHOICE], { code: 0, output: `Go on?\n  1. Yes\nquestion q\n${CHOICE}` })).toBeUndefined();
});

test('if the inbox does not advise --choice, the judge reports this only if `baton agent answer` offers --choice', () => {
  expect(wrongAdvice([ONLY_TERMINAL], { code: 0, output: `Which?\n${ONLY_TERMINAL}` })).toBeUndefined();
  expect(wrongAdvice([], { code: 1, output: 'Agent 7 has no open question: it is idle (done).' })).toBeUndefined();
  expect(wrongAdvice([], { code: 0, output: `Go on?\n${CHOICE}` })).toContain('does not advise --choice');
});
