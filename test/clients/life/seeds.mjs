// Situations from the requirements (seeds 000 to 003), played with the real client. The expected results were derived
// only from the requirements and the client's behavior, before Baton was tried.

import { setTimeout as sleep } from 'node:timers/promises';
import { isInstruction } from '../handoff-scene.mjs';
import { documentWantedBy } from '../model/stub-model.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

const AGAIN = ['instruction', 'instruction-2', 'injection-2'];
const TALKS = () => ({ text: 'First I think about it.', slowMs: 60_000 });
const WORDS = /word word|↓ \d+ tokens/;

const agentsOf = async (/** @type {Stage} */ { baton }) => (await baton.call('GET', '/api/agents')).agents ?? [];
const recordsOf = async (/** @type {Stage} */ { baton }) => (await baton.call('GET', '/api/handoffs')).handoffs ?? [];

/** @type {Situation[]} */
export const SEEDS = [
  {
    name: 'empty_document',
    finding: '000',
    about:
      'the agent writes an empty file: the run halts and says that the document is empty, no record is made, the client lives on; asking again completes it',
    never: [/does not exist/],
    play: async (stage) => {
      stage.model.instead(isInstruction, ({ prompt }) => ({
        tool: { name: 'Write', input: { file_path: documentWantedBy(prompt)?.path, content: '' } },
      }));
      const id = await stage.click();
      const run = await stage.runWhen(id, ({ over }) => over);
      stage.expect(run.step === 'failed', `the run is ${run.step}`);
      stage.expect(/empty/.test(run.failure?.sentence), `the run says ${run.failure?.sentence}`);
      await stage.says('inbox list', /empty/);
      stage.expect((await recordsOf(stage)).length === 0, 'an empty document was recorded');
      stage.expect((await agentsOf(stage)).length === 1, 'a successor was started');
      await stage.tell('Are you still there?');
      await stage.idle();
      await stage.choose(id, 'instruct_again');
      await stage.runWhen(id, ({ step }) => step !== 'failed');
      await stage.completes(id, AGAIN);
    },
  },
  {
    name: 'second_click',
    finding: '000',
    about:
      'the operator clicks again during the document turn and while the document is under review: 409 both times, and each text is typed once',
    play: async (stage) => {
      const again = () => stage.baton.call('POST', `/api/agents/${stage.agent.id}/handoff`, { reason: 'shift_end' });
      // The agent has had a turn, but no person has requested a handoff. There must be no handoff record.
      stage.expect((await recordsOf(stage)).length === 0, 'a record was made although nobody clicked');
      stage.model.instead(isInstruction, ({ prompt }) => {
        const { path = '', content = '' } = documentWantedBy(prompt) ?? {};
        return { tool: { name: 'Write', input: { file_path: path, content } }, slowMs: 4_000 };
      });
      const id = await stage.click({ review: true });
      await stage.runWhen(id, ({ step }) => step === 'awaiting_document');
      const during = await again();
      stage.expect(/already in progress/i.test(during.error), `during the turn: ${JSON.stringify(during)}`);
      await stage.runWhen(id, ({ step, review }) => step === 'recorded' && review === 'wanted');
      const reviewed = await again();
      stage.expect(reviewed.error === 'Handoff already in progress', `under review: ${JSON.stringify(reviewed)}`);
      const records = await recordsOf(stage);
      stage.expect(records.length === 1 && records[0].reason === 'context_limit', JSON.stringify(records));
      await stage.choose(id, 'approve');
      await stage.completes(id);
    },
  },
  {
    name: 'client_left_in_document_turn',
    finding: '000',
    about:
      'the operator ends the client (Ctrl-C twice) in the document turn: the run halts, says that the agent is gone, and starts no successor by itself',
    never: [/left running/, /Baton left the agent as it is/],
    play: async (stage) => {
      stage.model.instead(isInstruction, TALKS);
      const id = await stage.click();
      await stage.runWhen(id, ({ step }) => step === 'awaiting_document');
      await stage.sees(WORDS);
      for (let times = 0; times < 3; times++) {
        await stage.press('C-c');
        await sleep(300);
      }
      const run = await stage.runWhen(id, ({ over }) => over, 60_000);
      stage.expect(run.step === 'failed', `the run is ${run.step}`);
      stage.expect(/gone|ended|exited/.test(run.failure?.sentence), `the run says ${run.failure?.sentence}`);
      await stage.says('inbox list', /gone|ended|exited/);
      await sleep(3_000);
      stage.expect((await agentsOf(stage)).length === 1, 'a successor was started without a document');
      stage.expect((await recordsOf(stage)).length === 0, 'a record was made without a document');
    },
  },
];
