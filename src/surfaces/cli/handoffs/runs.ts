import { type Run, RunTexts } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { enteredWords, reasonInWords, runStatus, stepNow } from '../../../contract/words/step-words.ts';
import type { Cli } from '../cli.ts';
import { type ListPage, olderLine } from '../client/list-page.ts';
import { getRun, getRuns } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { asHeard, heardLine } from '../fleet/heard.ts';
import { showAnswer, showContent } from '../messages/show-answer.ts';
import { duration } from '../output/duration.ts';
import { ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago, stamp, when } from '../output/when.ts';

const HEADINGS = ['id', 'agent', 'successor', 'reason', 'state', 'acknowledged', 'record', 'started'];

export async function listRuns(cli: Cli, wanted: ListPage & { readonly state?: string } = {}): Promise<number> {
  const answer = await getRuns(operatorClient(cli.deps), wanted);
  return showAnswer(cli, answer, ({ runs, next, heard }) => {
    const none = wanted.state === undefined ? 'No handoffs yet. Start one: baton handoff AGENT' : 'No such handoffs.';
    const rows = runs.map((run) => row(run, asHeard(heard, stateOf(run))));
    const lines = rows.length === 0 ? [[none]] : cli.out.fit(table(HEADINGS, rows));
    return [...heardLine(heard), ...lines, ...olderLine(next)];
  });
}

function row(run: Run, state: Part): Part[] {
  const successor = run.successor_agent_id === null ? '-' : String(run.successor_agent_id);
  return [
    String(run.id),
    String(run.agent_id),
    successor,
    reasonInWords(run.reason),
    state,
    run.acknowledged ? 'yes' : 'no',
    String(run.handoff_id ?? '-'),
    ago(run.created_at),
  ];
}

export async function showRun(cli: Cli, id: number): Promise<number> {
  const answer = await getRun(operatorClient(cli.deps), id);
  return showAnswer(cli, answer, (run) => [
    [ink('bold', `Handoff ${run.id}`)],
    ...indented(runLines(run)),
    [''],
    ...indented(
      table(
        ['step', '>duration', 'started'],
        run.steps.map((step, index) => stepRow(run, step, index)),
      ),
    ),
  ]);
}

export async function showRunTexts(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.runTexts(id), RunTexts);
  return showContent(cli, answer, ({ texts }) =>
    texts.length === 0
      ? [[`No prompt was sent in handoff ${id} yet.`]]
      : texts.flatMap(({ purpose, agent_id, text, outcome, at }) => [
          [
            ink('bold', `${purpose} → agent ${agent_id}`),
            ink('dim', ` ${outcome}${at === null ? '' : ` ${when(at)}`}`),
          ],
          [text],
          [''],
        ]),
  );
}

/** Describes a run in lines with labels, such as "state". */
export function runLines(run: Run): Part[][] {
  const { document, failure, acknowledgement, note } = run;
  const rows: Part[][] = [
    ['state', stateOf(run)],
    ['agents', `${run.agent_id} → ${run.successor_agent_id ?? '(none yet)'}`],
    ['reason', reasonInWords(run.reason)],
  ];
  if (run.begun_because) rows.push(['begun by Baton', `because ${run.begun_because}`]);
  if (run.emergency)
    rows.push(['emergency', 'the agent wrote no document; its successor started from what Baton knew']);
  if (note !== null) rows.push(['note', note]);
  if (run.comment !== null) rows.push(['sent back', run.comment]);
  if (document !== null) rows.push(['document', `${document.absolute_path}${sizeOf(document.bytes)}`]);
  if (run.handoff_id !== null) rows.push(['record', `${run.handoff_id}`]);
  if (acknowledgement !== null) rows.push(['acknowledged', acknowledgement.task]);
  if (run.waits !== null) rows.push(['waits', ink('yellow', run.waits)]);
  if (run.compacted_since_instruction)
    rows.push(['note', 'the client compacted the context while the agent wrote the document']);
  if (run.brought_back_agent_id !== null)
    rows.push(['undone', `agent ${run.brought_back_agent_id} was started to continue the predecessor's conversation`]);
  for (const { rule, sentence } of run.findings) rows.push(['finding', `${rule}: ${sentence}`]);
  for (const warning of run.warnings) rows.push(['warning', ink('yellow', warning)]);
  if (failure !== null) {
    rows.push(
      ['failed at', ink('red', `${stepNow(failure.at)} (${failure.code}): ${failure.sentence}`)],
      ['', failure.hint],
    );
  }
  // List only the first of several actions with the same title. For example, `resume` often does the same as another
  // action.
  const actions = run.actions.filter(
    ({ title }, index, all) => all.findIndex((each) => each.title === title) === index,
  );
  for (const { action, title } of actions) rows.push(['you can', `${commandOf(run.id, action)}  (${title})`]);
  return table([], rows);
}

/** The command that the operator types for an action. */
const commandOf = (id: number, action: string): string =>
  `baton handoff ${action.replaceAll('_', '-')} ${id}${NEEDS[action] ?? ''}`;

const NEEDS: Readonly<Record<string, string>> = { adopt: ' FILE', send_back: ' "COMMENT"', message: ' "TEXT"' };

const sizeOf = (bytes: number | null): string => (bytes === null ? '' : ` (${bytes} bytes)`);

/** The state of a handoff, in the same words as on the web page. */
function stateOf(run: Run): Part {
  const { words } = runStatus(run);
  if (!run.over) return ink('cyan', words);
  return ink(run.step === 'completed' ? 'green' : 'red', words);
}

const stepRow = (run: Run, { ms, entered_at }: Run['steps'][number], index: number): Part[] => [
  enteredWords(run, index),
  ms === null ? '' : duration(ms),
  stamp(entered_at),
];

const indented = (lines: readonly (readonly Part[])[]): Part[][] => lines.map((line) => ['  ', ...line]);
