import { type Run, RunTexts } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { type ListPage, olderLine } from '../client/list-page.ts';
import { getRun, getRuns } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { duration } from '../output/duration.ts';
import { ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';

const HEADINGS = ['id', 'agent', 'successor', 'reason', 'step', 'acknowledged', 'record', 'started'];

export async function listRuns(cli: Cli, page: ListPage = {}): Promise<number> {
  const answer = await getRuns(operatorClient(cli.deps), page);
  return showAnswer(cli, answer, ({ runs, next }) =>
    runs.length === 0
      ? [['No handoffs yet. Start one: baton handoff AGENT']]
      : [...table(HEADINGS, runs.map(row)), ...olderLine(next)],
  );
}

function row(run: Run): Part[] {
  const successor = run.successor_agent_id === null ? '-' : String(run.successor_agent_id);
  return [
    String(run.id),
    String(run.agent_id),
    successor,
    run.reason,
    stepOf(run),
    run.acknowledged ? 'yes' : 'no',
    String(run.handoff_id ?? '-'),
    run.created_at,
  ];
}

export async function showRun(cli: Cli, id: number): Promise<number> {
  const answer = await getRun(operatorClient(cli.deps), id);
  return showAnswer(cli, answer, (run) => [
    [ink('bold', `Handoff ${run.id}`)],
    ...indented(runLines(run)),
    [''],
    ...indented(table(['step', '>duration', 'started'], run.steps.map(stepRow))),
  ]);
}

export async function showRunTexts(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.runTexts(id), RunTexts);
  return showAnswer(cli, answer, ({ texts }) =>
    texts.length === 0
      ? [[`No prompt was sent in handoff ${id} yet.`]]
      : texts.flatMap(({ purpose, agent_id, text, outcome, at }) => [
          [ink('bold', `${purpose} → agent ${agent_id}`), ink('dim', ` ${outcome}${at === null ? '' : ` at ${at}`}`)],
          [text],
          [''],
        ]),
  );
}

/** Describes a run; each line begins with its label. */
export function runLines(run: Run): Part[][] {
  const { document, failure, acknowledgement, note } = run;
  const rows: Part[][] = [
    ['step', stepOf(run)],
    ['agents', `${run.agent_id} → ${run.successor_agent_id ?? '(none yet)'}`],
    ['reason', run.reason],
  ];
  if (run.emergency)
    rows.push(['emergency', 'the agent died without a document; its successor started from what Baton knew']);
  if (note !== null) rows.push(['note', note]);
  if (run.comment !== null) rows.push(['sent back', run.comment]);
  if (document !== null) rows.push(['document', `${document.absolute_path}${sizeOf(document.bytes)}`]);
  if (run.handoff_id !== null) rows.push(['record', `${run.handoff_id}`]);
  if (acknowledgement !== null) rows.push(['acknowledged', acknowledgement.task]);
  if (run.waits !== null) rows.push(['waits', ink('yellow', run.waits)]);
  if (run.compacted_since_instruction)
    rows.push(['note', 'the client compacted the context while the agent wrote the document']);
  if (run.brought_back_agent_id !== null)
    rows.push(['undone', `the predecessor continues as agent ${run.brought_back_agent_id}`]);
  for (const { rule, sentence } of run.findings) rows.push(['finding', `${rule}: ${sentence}`]);
  for (const warning of run.warnings) rows.push(['warning', ink('yellow', warning)]);
  if (failure !== null) {
    rows.push(['failed at', ink('red', `${failure.at} (${failure.code}): ${failure.sentence}`)], ['', failure.hint]);
  }
  for (const { action, title } of run.actions) rows.push(['you can', `${commandOf(run.id, action)}  (${title})`]);
  return table([], rows);
}

/** The command that the operator types for an action. */
const commandOf = (id: number, action: string): string =>
  `baton handoff ${action.replaceAll('_', '-')} ${id}${NEEDS[action] ?? ''}`;

const NEEDS: Readonly<Record<string, string>> = { adopt: ' FILE', send_back: ' "COMMENT"' };

const sizeOf = (bytes: number | null): string => (bytes === null ? '' : ` (${bytes} bytes)`);

function stepOf({ step, over }: Run): Part {
  if (!over) return ink('cyan', step);
  return ink(step === 'completed' ? 'green' : 'red', step);
}

const stepRow = ({ step, ms, entered_at }: Run['steps'][number]): Part[] => [
  step,
  ms === null ? '' : duration(ms),
  entered_at,
];

const indented = (lines: readonly (readonly Part[])[]): Part[][] => lines.map((line) => ['  ', ...line]);
