import { HandoffDetail, HandoffList, type HandoffSummary, Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { handoffName, runStatus } from '../../../contract/words/step-words.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import { type ListPage, olderLine, pagePath } from '../client/list-page.ts';
import { getRun } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { confirm } from '../maintenance/confirm.ts';
import { onItsMachine, sayMachine, showAnswer, showContent } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago, when } from '../output/when.ts';
import { runLines } from './runs.ts';

export async function listHandoffs(cli: Cli, persona: string, page: ListPage): Promise<number> {
  const path = pagePath(`${PATHS.handoffs}?persona=${encodeURIComponent(persona)}`, page);
  const answer = await operatorClient(cli.deps).get(path, HandoffList);
  return showAnswer(cli, answer, ({ handoffs, next }) =>
    handoffs.length === 0
      ? [[`${persona} has no handoffs yet.`]]
      : [...cli.out.fit(table(HEADINGS, handoffs.map(recordRow))), ...olderLine(next)],
  );
}

const HEADINGS = ['handoff', 'agent', 'successor', 'reason', 'step', 'acknowledged', 'document', 'recorded'];

const recordRow = (each: HandoffSummary): Part[] => [
  // Show the number of the handoff record if the record belongs to no run.
  each.run_id === null ? `record ${each.id}` : String(each.run_id),
  String(each.agent_id),
  String(each.successor_agent_id ?? '-'),
  each.reason,
  each.step ?? '-',
  each.acknowledged ? 'yes' : 'no',
  each.file_path ?? '(emergency: none)',
  ago(each.created_at),
];

/** Shows the document as it was when Baton verified it, even if somebody has changed the file since then. */
export async function showHandoff(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.handoffRecord(id), HandoffDetail);
  return showContent(cli, answer, (detail) => [
    ...onItsMachine(cli, recordLines(detail)),
    ...documentLines(detail.document_text),
  ]);
}

function recordLines({ run, document_problem: problem, ...record }: HandoffDetail): Part[][] {
  return [
    [
      ink(
        'bold',
        `${handoffName({ id: record.id, run_id: run?.id ?? null })} of agent ${record.agent_id} (${record.reason})`,
      ),
    ],
    ...table(
      [],
      [
        ['document', record.file_path ?? '(emergency: none)'],
        ['recorded', when(record.created_at)],
      ],
    ).map((line) => ['  ', ...line]),
    ...(run === null ? [] : runLines(run)),
    ...(problem === null ? [] : [[''], [problem]]),
  ];
}

/**
 * Prints the document without any other lines, so that its line numbers match the line numbers in the output of `baton
 * search`.
 */
export async function showDocument(cli: Cli, runId: number): Promise<number> {
  const api = operatorClient(cli.deps);
  const { handoff_id: recordId, document } = (await getRun(api, runId)).data;
  if (recordId === null)
    throw new CliFault(`Handoff ${runId} has no verified document.`, {
      code: 'no_document',
      hint: document === null ? `See: baton handoff show ${runId}` : `Its file: ${document.absolute_path}`,
    });
  const answer = await api.get(PATHS.handoffRecord(recordId), HandoffDetail);
  const { document_text: text, document_problem: problem } = answer.data;
  return showContent(cli, answer, () =>
    text === null
      ? [[problem ?? `Handoff ${runId} has no document: it was an emergency handoff.`]]
      : text
          .trimEnd()
          .split('\n')
          .map((line) => [line]),
  );
}

const documentLines = (text: string | null): Part[][] =>
  text === null ? [] : ['', ...text.trimEnd().split('\n')].map((line) => [line]);

/**
 * Continues the handoff that belongs to a record. `id` is the number of the record. The command `baton handoff resume`
 * expects the number of the handoff instead.
 */
export async function resumeHandoff(cli: Cli, id: number, { yes }: { readonly yes: boolean }): Promise<number> {
  const api = operatorClient(cli.deps);
  const { run } = (await api.get(PATHS.handoffRecord(id), HandoffDetail)).data;
  const offer = run?.actions.find(({ action }) => action === 'resume');
  if (offer?.confirm)
    await confirm(cli, {
      yes,
      question: `${offer.title}? ${offer.confirm}`,
      otherwise: `${handoffName({ id, run_id: run?.id ?? null })} was not changed.`,
    });
  const answer = await api.post(PATHS.resumeHandoff(id), {}, Run);
  return showAnswer(cli, answer, (after) => [
    [sayMachine(cli, `Handoff ${after.id}: ${runStatus(after).words}.`)],
    ...runLines(after),
  ]);
}
