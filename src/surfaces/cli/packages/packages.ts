import { PackagesAnywhere } from '../../../contract/fleet.ts';
import {
  PackageAgents,
  PackageChain,
  PackageContents,
  PackageDetail,
  PackageLint,
  PackageReport,
  PackageRow,
  Rebuilt,
  ReceivedPackage,
} from '../../../contract/packages/package-resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { postProject } from '../agents/projects.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { Answer, ApiClient } from '../client/api-client.ts';
import { operatorClient, partyClient } from '../client/operator-client.ts';
import { heardLine } from '../fleet/heard.ts';
import { showAnswer, showContent } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { findingLines, packageLines, packageTable, receivedLines } from './package-lines.ts';
import { unattendedLines } from './unattended.ts';

export interface Written {
  readonly file: string;
  /**
   * The path or number of the project. If this field is absent, an agent uses its own project, and a person uses the
   * project of the current folder.
   */
  readonly project?: string | undefined;
  readonly draft: boolean;
  readonly key?: string | undefined;
}

export async function projectOf(cli: Cli, api: ApiClient, project: string | undefined): Promise<object> {
  if (project === undefined) return cli.deps.shell().agent === undefined ? projectOf(cli, api, '.') : {};
  return { project_id: /^\d+$/.test(project) ? Number(project) : (await postProject(api, project)).data.id };
}

export async function createPackage(cli: Cli, { file, project, draft, key }: Written): Promise<number> {
  const api = partyClient(cli.deps);
  const value = await cli.deps.readYaml(file);
  const place = await projectOf(cli, api, project);
  const body = { package: value, seal: !draft, ...place, ...(key === undefined ? {} : { key }) };
  const answer = await api.post(PATHS.packages, body, PackageDetail);
  return showCreated(cli, api, answer);
}

export async function showCreated(cli: Cli, api: ApiClient, answer: Answer<PackageDetail>): Promise<number> {
  const unattended = await unattendedLines(cli, api, answer.data);
  return showAnswer(cli, answer, (made) => [
    ...findingLines(made.findings),
    [TICK, ` ${made.id} is ${made.state}, from ${made.from} to ${made.to}`],
    ...unattended,
  ]);
}

export async function returnPackage(cli: Cli, id: string, file: string): Promise<number> {
  const body = { package: await cli.deps.readYaml(file) };
  const answer = await partyClient(cli.deps).post(PATHS.packageVerb(id, 'return'), body, PackageDetail);
  return showAnswer(cli, answer, (made) => [[TICK, ` ${made.id} returns ${id} to ${made.to}`]]);
}

export async function lintPackage(cli: Cli, { file, project }: Pick<Written, 'file' | 'project'>): Promise<number> {
  const api = partyClient(cli.deps);
  const value = await cli.deps.readYaml(file);
  const answer = await api.post(
    PATHS.lintPackage,
    { package: value, ...(await projectOf(cli, api, project)) },
    PackageLint,
  );
  showAnswer(cli, answer, ({ findings, ok, type }) => [
    ...findingLines(findings),
    [ok ? TICK : '', ` ${file} (${type ?? 'of unknown type'}) ${ok ? 'can' : 'cannot'} be sealed`],
  ]);
  return answer.data.ok ? EXIT.done : EXIT.failed;
}

export interface PackageFilter {
  readonly state?: string;
  readonly type?: string;
  readonly agent?: string;
  readonly text?: string;
  readonly before?: string;
  readonly limit?: number;
}

export async function listPackages(
  cli: Cli,
  { inbox, open, ...filter }: PackageFilter & { inbox: boolean; open: boolean },
): Promise<number> {
  const { machine } = cli.deps;
  if (inbox && machine !== undefined)
    throw new CliFault(`Only ${machine} itself can list the packages that wait for you there.`, {
      code: 'not_from_afar',
      hint: 'List all open packages of the machine: baton package list --open',
    });
  refuseUnknown('state', filter.state, PackageRow.shape.state.options);
  refuseUnknown('type', filter.type, PackageRow.shape.type.options);
  const query = new URLSearchParams(inbox ? { box: 'inbox' } : open ? { open: '1' } : {});
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
  const asked = query.size === 0 ? '' : `?${query}`;
  const answer = await partyClient(cli.deps).get(`${PATHS.packages}${asked}`, PackagesAnywhere);
  return showAnswer(cli, answer, ({ packages, next, heard }) => {
    if (inbox && packages.length === 0) return [['No package is waiting for you.']];
    return [
      ...heardLine(heard),
      ...packageTable(packages, heard),
      ...(next === null ? [] : [[`Older packages: --before ${next}`]]),
    ];
  });
}

/**
 * Throws CliFault for an unknown state or type. Without this check, the server would answer with an empty list, as if
 * no package matched.
 */
function refuseUnknown(what: string, given: string | undefined, known: readonly string[]): void {
  if (given === undefined || known.includes(given)) return;
  throw new CliFault(`Unknown ${what} "${given}". Use one of ${known.join(', ')}.`, {
    code: 'usage',
    exitCode: EXIT.usage,
  });
}

export async function reportPackage(cli: Cli, id: string): Promise<number> {
  const answer = await partyClient(cli.deps).get(PATHS.packageVerb(id, 'report'), PackageReport);
  return showAnswer(cli, answer, ({ artifacts, findings, blocked, folder }) => [
    ...artifacts.map(({ path, state, now }) => [
      `${path}: ${state.replaceAll('_', ' ')}${now === null ? '' : ` (${now})`}`,
    ]),
    ...findingLines(findings),
    ...(folder === null ? [] : [[`Checked in ${folder}`]]),
    [
      blocked
        ? 'The live check found errors: the package cannot be accepted as it is.'
        : 'The live check found no error.',
    ],
  ]);
}

export async function showPackage(cli: Cli, id: string): Promise<number> {
  const api = partyClient(cli.deps);
  const answer = await api.get(PATHS.package(id), PackageDetail);
  const isOpen = !cli.json && !answer.data.over && Object.keys(answer.data.artifacts).length > 0;
  const artifacts = isOpen ? (await api.get(PATHS.packageVerb(id, 'report'), PackageReport)).data.artifacts : [];
  const now = { artifacts, machine: cli.deps.machine };
  const unattended = await unattendedLines(cli, api, answer.data);
  return showContent(cli, answer, (detail) => [...packageLines(detail, now), ...unattended]);
}

export async function showChain(cli: Cli, id: string): Promise<number> {
  const answer = await partyClient(cli.deps).get(PATHS.packageVerb(id, 'chain'), PackageChain);
  return showAnswer(cli, answer, ({ packages, open_frames }) => [
    ...packageTable(packages),
    ...open_frames.map(({ handoff, caller, callee }) => [`${caller} waits for ${callee} to return ${handoff}`]),
  ]);
}

export async function receivePackage(cli: Cli, id: string): Promise<number> {
  const answer = await partyClient(cli.deps).post(PATHS.packageVerb(id, 'receive'), {}, ReceivedPackage);
  const isReceiver = cli.deps.shell().agent !== undefined;
  return showAnswer(cli, answer, (received) => receivedLines(received, isReceiver));
}

export async function rebuild(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.rebuildPackages, {}, Rebuilt);
  return showAnswer(cli, answer, ({ packages, mended, written }) => [
    [TICK, ` Rebuilt ${packages} packages from the log: ${mended} rows repaired, ${written} files written`],
  ]);
}

export async function listReceivers(cli: Cli): Promise<number> {
  const answer = await partyClient(cli.deps).get(PATHS.packageAgents, PackageAgents);
  return showAnswer(cli, answer, ({ you, agents }) => [
    [`You are ${you[0]}.`],
    ...table(
      ['name', 'kind', 'capabilities', 'running'],
      agents.map(({ name, kind, capabilities, live }) => [
        name,
        kind,
        capabilities.join(', ') || '-',
        live ? 'yes' : 'no',
      ]),
    ),
  ]);
}

export async function showContents(cli: Cli, id: string): Promise<number> {
  const client = operatorClient(cli.deps);
  const answer = await client.get(PATHS.packageVerb(id, 'contents'), PackageContents);
  const { waiter, state } = (await client.get(PATHS.package(id), PackageDetail)).data;
  const isToDecide = state === 'pending' && waiter === 'human';
  return showContent(cli, answer, ({ artifacts, seen }) => [
    ...artifacts.flatMap((each): Part[][] => [
      [ink('bold', each.path), `  ${each.state.replaceAll('_', ' ')}`],
      ...contentLines(each).map((line): Part[] => [`  ${line}`]),
    ]),
    ...(seen == null || !isToDecide ? [] : [[ink('dim', `To decide about exactly this content: --seen ${seen}`)]]),
  ]);
}

/**
 * Returns the changed lines of an artifact. If the artifact cannot be compared with its submitted content, returns the
 * whole current content.
 */
function contentLines({ diff, now, sealed }: PackageContents['artifacts'][number]): readonly string[] {
  if (diff !== null) return diff.split('\n');
  if (now.text === null) return [`Not shown: ${now.why_not ?? ''}.`];
  return [`Not compared: ${sealed.why_not ?? ''}. The content now:`, ...now.text.trimEnd().split('\n')];
}
