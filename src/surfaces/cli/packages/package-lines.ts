import type { Heard } from '../../../contract/fleet.ts';
import { PackageInput } from '../../../contract/packages/package.ts';
import type {
  PackageDetail,
  PackageLint,
  PackageReport,
  PackageRow,
  ReceivedPackage,
} from '../../../contract/packages/package-resources.ts';
import { pendingDecisions } from '../../../contract/packages/pending-decisions.ts';
import { commandsOn } from '../../../contract/words/machine-commands.ts';
import { asHeard } from '../fleet/heard.ts';
import { type Colour, ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { when } from '../output/when.ts';

/** Functions that describe packages in lines of text, for people and agents. */

const colourOf = ({ state, over, waiter }: PackageRow): Colour => {
  if (state === 'completed' || state === 'accepted') return 'green';
  if (over) return 'dim';
  return waiter === 'human' || state === 'clarifying' ? 'yellow' : 'cyan';
};

export const packageTable = (packages: readonly PackageRow[], heard?: Heard): Part[][] =>
  packages.length === 0
    ? [['No packages.']]
    : table(
        ['id', 'type', 'from', 'to', 'state', 'waits for', 'summary'],
        packages.map((each) => [
          each.id,
          each.type,
          each.from,
          each.to,
          asHeard(heard, ink(colourOf(each), each.state)),
          each.waiter === null ? '-' : nameOf(each.waiter, each),
          each.summary.length > 60 ? `${each.summary.slice(0, 59)}…` : each.summary,
        ]),
      );

/** The state of a package's artifacts on disk. If the package is on another machine, `machine` names that machine. */
export interface PackageNow {
  readonly artifacts: PackageReport['artifacts'];
  readonly machine: string | undefined;
}

export function packageLines(each: PackageDetail, now?: PackageNow): Part[][] {
  return [
    [ink('bold', `${each.id} (${each.type}) from ${each.from} to ${each.to}`)],
    ...table([], details(each, now)).map((line) => ['  ', ...line]),
    ...each.answers.flatMap(({ id, question, answer, by }): Part[][] => [
      [ink('dim', `  ${id} `), question],
      [`    answered by ${by === 'sender' ? each.from : by}: ${answer}`],
    ]),
    ...each.questions.map(({ id, text }) => [ink('yellow', `  ${id} `), text]),
    ...(each.gate?.items ?? []).map((item, index) => [
      `  ${each.gate?.approved.includes(index) ? '[x]' : '[ ]'} ${index}: ${item}`,
    ]),
  ];
}

const details = (each: PackageDetail, now: PackageNow | undefined): Part[][] => [
  ['state', ink(colourOf(each), each.state)],
  ['owner', `${nameOf(each.owner, each)} (${each.owner})`],
  ...(each.waiter === null ? [] : [['waits for', waitsFor(each)]]),
  ...(each.held_up === null
    ? []
    : [
        ['blocked', ink('yellow', each.held_up.sentence)],
        ['what to do', each.held_up.hint],
      ]),
  ...gateLines(each),
  ['summary', each.summary],
  ['revision', String(each.revision)],
  ...(each.content_sha256 === null ? [] : [['hash', each.content_sha256]]),
  ...waiverLines(each),
  ...decisionLines(each),
  ...(each.cause === null ? [] : [['cause', each.cause]]),
  ...(each.outcome === null ? [] : [['outcome', each.outcome]]),
  ...expected(each),
  ...each.constraints.map(({ id, text }): Part[] => [id, text]),
  ...each.criteria.map((criterion): Part[] => [criterion.id, `${criterion.text}${resultOf(each, criterion.id)}`]),
  ...Object.keys(each.artifacts).map((path): Part[] => ['artifact', artifactNow(path, each.id, now)]),
  ...(each.archive === null ? [] : [['archive', each.archive]]),
];

/** Returns the path of an artifact, with a note if the file has changed since the package was submitted. */
function artifactNow(path: string, id: string, now: PackageNow | undefined): Part {
  const state = now?.artifacts.find((each) => each.path === path)?.state ?? 'as_sealed';
  const contents = `baton package contents ${id}`;
  const see = now?.machine === undefined ? contents : commandsOn(now.machine, contents);
  return state === 'as_sealed' || state === 'not_sealed'
    ? path
    : ink('yellow', `${path} (${state.replaceAll('_', ' ')} since it was submitted; see: ${see})`);
}

/** Returns the name of the sender or the receiver as the package spells it, because commands need this spelling. */
const nameOf = (party: PackageRow['owner'], { from, to }: Pick<PackageRow, 'from' | 'to'>): string =>
  party === 'receiver' ? to : party === 'sender' ? from : party;

/**
 * Returns a text with the party that must act and the deadline. The text names an agent that Baton has notified by the
 * agent's label, and adds the time of the notification. It names every other party by the name in the package.
 */
const waitsFor = (each: PackageDetail): string => {
  const { waiter, notified, deadline_at, read_at } = each;
  const isUnopened = waiter === 'receiver' && read_at === null;
  const who = notified?.must_act
    ? `${notified.label}, notified ${when(notified.at)}${isUnopened ? ', not opened' : ''}`
    : waiter === null
      ? ''
      : nameOf(waiter, each);
  return `${who}${deadline_at === null ? '' : `, until ${when(deadline_at)}`}`;
};

/** Lines for the gate, and for the reason why the package goes to its receiver. */
function gateLines({ package: { gate, to } }: PackageDetail): Part[][] {
  const read = PackageInput.pick({ gate: true, to: true }).safeParse({ gate, to }).data;
  if (read === undefined) return [];
  const reason: Part[] = ['reason', read.to.reason];
  if (read.gate === undefined) return [reason];
  const { name, type, step } = read.gate;
  const how = `${type.replaceAll('_', '-')}${step == null ? '' : `, step ${step}`}`;
  return [['gate', `${name} (${how})`], reason];
}

/** Lines for the deliverable, the pending decisions and the sender's open questions. */
function expected(each: PackageDetail): Part[][] {
  const { context, expectations } = PackageInput.pick({ context: true, expectations: true }).safeParse({
    context: each.package.context,
    expectations: each.package.expectations,
  }).data ?? { context: undefined };
  const pending = context === undefined ? [] : pendingDecisions({ context });
  return [
    ...(expectations === undefined ? [] : [['deliverable', expectations.deliverable]]),
    ...pending.map(({ decision, rationale }): Part[] => [
      'to decide',
      ink('yellow', rationale ? `${decision} (${rationale})` : decision),
    ]),
    ...(context?.open_questions ?? []).map(({ question, priority }): Part[] => [
      'open question',
      ink('yellow', `${question} (${priority})`),
    ]),
  ];
}

function resultOf({ results }: PackageDetail, id: string): string {
  const found = results.find((result) => result.id === id);
  if (found === undefined) return '';
  const evidence = found.evidence ? ` (${found.evidence})` : '';
  const word = found.result === 'pass' ? 'passed' : found.result === 'fail' ? 'failed' : found.result;
  const source = found.checked ? 'checked by Baton' : 'according to the agent, not checked by Baton';
  return `: ${word}${evidence}, ${source}`;
}

/** Returns lines about a person's decision on the package. The author of the package must follow this decision. */
function decisionLines({ decision }: PackageDetail): Part[][] {
  if (decision === null) return [];
  const { option, by, reason, conditions, choice } = decision;
  const more = Array.isArray(conditions) ? conditions : [];
  return [
    ...(choice ? [['choice', ink('bold', String(choice))]] : []),
    ['decision', `${option} by ${by}${reason ? `: ${reason}` : ''}`],
    ...more.map((condition): Part[] => ['condition', String(condition)]),
  ];
}

const waiverLines = ({ waivers }: PackageDetail): Part[][] =>
  waivers.map(({ rule, until, why, by }): Part[] => [
    'waived',
    `${rule} until ${when(String(until))} by ${by}: ${why}`,
  ]);

const COLOURS = { error: 'red', warning: 'yellow', info: 'dim' } as const;

export const findingLines = (findings: PackageLint['findings']): Part[][] =>
  findings.map(({ rule, severity, pointer, message, fix }) => [
    ink(COLOURS[severity], severity),
    ` ${rule} ${pointer} ${message} `,
    ink('dim', fix),
  ]);

/**
 * Returns lines that describe the package, and lines with the commands that its receiver can run next. `isReceiver` is
 * false if the operator reads the package.
 */
export function receivedLines({ package: each, report }: ReceivedPackage, isReceiver: boolean): Part[][] {
  const next =
    each.state !== 'pending' || each.waiter !== 'receiver'
      ? []
      : !isReceiver
        ? [[`Only ${each.to} can accept or decline it. Remind the agent: baton package remind ${each.id}`]]
        : report.blocked
          ? [[`Report the problem: baton package ask ${each.id} "WHAT IS MISSING"`]]
          : [
              [`Accept it: baton package ack ${each.id} --task "IN YOUR WORDS"`],
              [`Or ask: baton package ask ${each.id} "QUESTION"`],
              [`Or decline: baton package decline ${each.id} --code capability --reason TEXT`],
            ];
  return [
    ...packageLines(each),
    [JSON.stringify(each.package, undefined, 2)],
    ...findingLines(report.findings),
    ...(report.folder === null ? [] : [[`Artifacts are in ${report.folder}`]]),
    [
      report.blocked
        ? ink('red', 'The live check found errors: the package cannot be accepted as it is.')
        : 'The live check found no error.',
    ],
    ...next,
  ];
}
