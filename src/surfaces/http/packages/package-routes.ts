import type { z } from 'zod';
import {
  acknowledgePackage,
  answerPackage,
  askAboutPackage,
  cancelPackage,
  completePackage,
  decidePackage,
  declinePackage,
  failPackage,
  progressPackage,
} from '../../../app/packages/act-on-package.ts';
import {
  createPackage,
  lintAuthored,
  sealDraft,
  waiveRule,
  withReturnOf,
} from '../../../app/packages/create-package.ts';
import { listPackages, listReceivers, showChain, showPackage } from '../../../app/packages/list-packages.ts';
import { reassignPackage, remindPackage, restorePackage } from '../../../app/packages/move-package.ts';
import type { Asking } from '../../../app/packages/package-caller.ts';
import { archivePathOf } from '../../../app/packages/package-folder.ts';
import { receivePackage } from '../../../app/packages/receive-package.ts';
import { reportOnPackage, showContents } from '../../../app/packages/report-on-package.ts';
import { showWorkflow } from '../../../app/workflows/show-workflow.ts';
import * as calls from '../../../contract/packages/package-calls.ts';
import * as resources from '../../../contract/packages/package-resources.ts';
import { packageJsonSchema } from '../../../contract/packages/package-schema.ts';
import { WorkflowView } from '../../../contract/packages/workflow.ts';
import { Nothing } from '../../../contract/requests.ts';
import { PATHS, type PackageVerb } from '../../../contract/routes.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { Caller } from '../server/guard.ts';
import { type Call, type HttpDeps, ID, mapped, OPERATOR, PACKAGE, type Route, route } from '../server/route.ts';
import { authored, readPackage } from './authored-package.ts';
import {
  type PackageAround,
  viewChain,
  viewContents,
  viewLint,
  viewPackage,
  viewPackageRow,
  viewReceived,
  viewReport,
} from './package-views.ts';
import { viewProjectWorkflow } from './workflow-views.ts';

const BOTH = ['operator', 'agent'] as const;

/**
 * Returns the identity of the caller. The identity depends only on the caller's token and channel (page or command
 * line). If the request's body names a sender, Baton compares the sender with this identity.
 */
const asking = (caller: Caller): Asking =>
  caller.kind === 'agent'
    ? { kind: 'agent', agentId: caller.agentId }
    : {
        kind: 'operator',
        channel: caller.kind === 'operator' && caller.session !== undefined ? 'page' : 'cli',
        machine: caller.kind === 'operator' ? caller.machine : undefined,
      };

const around = ({ ports }: HttpDeps): PackageAround => ({
  sha256: ports.chance.sha256,
  archiveOf: (stored) => archivePathOf(ports, stored),
});

const show = (deps: HttpDeps) => (stored: StoredPackage) => viewPackage(stored, around(deps));

/** Returns the route for one action on a package. The route answers with the package as it is after the action. */
const verb = <Body>(name: PackageVerb, row: Verb<Body>): Route =>
  route({
    method: 'POST',
    path: PATHS.packageVerb(PACKAGE, name),
    summary: row.summary,
    body: row.body,
    answer: resources.PackageDetail,
    status: 200,
    callers: row.callers ?? BOTH,
    ...(row.afar === undefined ? {} : { afar: row.afar }),
    handle: async (call) => mapped(await row.does(call, asking(call.caller)), show(call.deps)),
  });

interface Verb<Body> {
  readonly summary: string;
  readonly body: z.ZodType<Body>;
  readonly callers?: Route['callers'];
  readonly afar?: Route['afar'];
  readonly does: (call: Call<Body>, who: Asking) => Promise<StoredPackage | Refusal>;
}

/**
 * If the delegation is still pending when its receiver sends the result back, acknowledges the delegation first. Does
 * nothing without `task`, the receiver's summary of the task.
 */
async function acceptFirst({ ports }: HttpDeps, who: Asking, id: string, task: string | undefined) {
  const known = showPackage(ports, who, id);
  if (task === undefined || isRefusal(known) || known.record.state !== 'pending') return undefined;
  return acknowledgePackage(ports, who, id, { understood: { task }, starting: true });
}

/**
 * Returns a waiver without the field `pointer` if the request contains no pointer. Baton compares waivers, and a waiver
 * without the field would differ from a waiver whose field `pointer` is `undefined`.
 */
const waiverOf = ({ rule, pointer, why, until }: z.infer<typeof calls.WaiveRule>) => ({
  rule,
  why,
  until,
  ...(pointer === undefined ? {} : { pointer }),
});

export const PACKAGE_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: PATHS.packages,
    summary: 'Create a package and seal it; a package with lint errors is not stored',
    body: calls.CreatePackage,
    answer: resources.PackageDetail,
    status: 201,
    callers: BOTH,
    limit: 'package',
    handle: async ({ deps, caller, body }) => {
      const waivers = body.waivers.map(waiverOf);
      const read = readPackage(deps, body.package);
      if (isRefusal(read)) return read;
      const wanted = { authored: read.authored, projectId: body.project_id, seal: body.seal, key: body.key };
      const made = await createPackage(deps.ports, asking(caller), { ...wanted, waivers });
      return isRefusal(made) ? read.withLines(made) : show(deps)(made);
    },
  }),
  route({
    method: 'GET',
    path: PATHS.packages,
    summary:
      'Packages, newest first; an agent sees its own. ?box=inbox: packages that wait for you; ?open=1; ?project=ID; ?state=, ?type=, ?agent=NAME, ?text=; ?limit=, ?before=ID for packages older than the package with this id',
    answer: resources.PackageList,
    status: 200,
    callers: BOTH,
    handle: ({ deps, caller, query }) => {
      const given = (name: string): string | undefined => query.get(name) || undefined;
      const number = (name: string): number | undefined => Number(given(name)) || undefined;
      const wanted = {
        inbox: query.get('box') === 'inbox',
        inFlight: query.get('open') === '1',
        projectId: number('project'),
        state: given('state'),
        type: given('type'),
        agent: given('agent'),
        text: given('text'),
        before: given('before'),
        limit: number('limit'),
      };
      return mapped(listPackages(deps.ports, asking(caller), wanted), ({ packages, next }) => ({
        packages: packages.map(viewPackageRow),
        next,
      }));
    },
  }),
  route({
    method: 'POST',
    path: PATHS.lintPackage,
    summary:
      'Lint a package without storing it; the lint also compares the package with the files, its chain and the agents',
    body: calls.LintPackage,
    answer: resources.PackageLint,
    status: 200,
    callers: BOTH,
    handle: async ({ deps, caller, body }) => {
      const read = readPackage(deps, body.package);
      if (isRefusal(read)) return read;
      const wanted = { authored: read.authored, projectId: body.project_id };
      const found = await lintAuthored(deps.ports, asking(caller), wanted);
      return read.withLines(mapped(found, viewLint));
    },
  }),
  route({
    method: 'GET',
    path: PATHS.packageSchema,
    summary: 'The JSON Schema of a package, as its author writes it',
    answer: resources.PackageSchema,
    status: 200,
    callers: BOTH,
    handle: () => ({ schema: { ...packageJsonSchema() } }),
  }),
  route({
    method: 'GET',
    path: PATHS.packageAgents,
    summary: 'The receivers to whom you can send a package, and your own names',
    answer: resources.PackageAgents,
    status: 200,
    callers: BOTH,
    handle: ({ deps, caller }) =>
      mapped(listReceivers(deps.ports, asking(caller)), ({ you, agents }) => ({
        you: [...you],
        agents: agents.map((each) => ({ ...each, capabilities: [...each.capabilities] })),
      })),
  }),
  route({
    method: 'POST',
    path: PATHS.rebuildPackages,
    summary: 'Rebuild the rows and files of all packages from the log',
    body: Nothing,
    answer: resources.Rebuilt,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => deps.rebuildPackages(),
  }),
  route({
    method: 'GET',
    path: PATHS.package(PACKAGE),
    summary: 'One package: its content, its history, and who must act',
    answer: resources.PackageDetail,
    status: 200,
    callers: BOTH,
    afar: 'look',
    handle: ({ deps, caller, packageId }) => mapped(showPackage(deps.ports, asking(caller), packageId), show(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.packageVerb(PACKAGE, 'chain'),
    summary: 'The chain of a package, and the delegations of the chain that wait for a return package',
    answer: resources.PackageChain,
    status: 200,
    callers: BOTH,
    afar: 'look',
    handle: ({ deps, caller, packageId }) => mapped(showChain(deps.ports, asking(caller), packageId), viewChain),
  }),
  route({
    method: 'GET',
    path: PATHS.packageVerb(PACKAGE, 'report'),
    summary:
      "Baton's current check of a package: whether its artifacts have changed and, for a draft, its lint findings",
    answer: resources.PackageReport,
    status: 200,
    callers: BOTH,
    afar: 'look',
    handle: async ({ deps, caller, packageId }) =>
      mapped(await reportOnPackage(deps.ports, asking(caller), packageId), viewReport),
  }),
  route({
    method: 'GET',
    path: PATHS.packageVerb(PACKAGE, 'contents'),
    summary: 'The texts of the artifacts as sealed and as they are now, with the difference',
    answer: resources.PackageContents,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
    handle: async ({ deps, caller, packageId }) =>
      mapped(await showContents(deps.ports, asking(caller), packageId), viewContents),
  }),
  route({
    method: 'POST',
    path: PATHS.packageVerb(PACKAGE, 'receive'),
    summary:
      "Read a package with Baton's report about it; if its receiver reads a return package, the package is completed",
    body: Nothing,
    answer: resources.ReceivedPackage,
    status: 200,
    callers: BOTH,
    handle: async ({ deps, caller, packageId }) =>
      mapped(await receivePackage(deps.ports, asking(caller), packageId), (got) => viewReceived(got, around(deps))),
  }),
  route({
    method: 'POST',
    path: PATHS.packageVerb(PACKAGE, 'return'),
    summary: 'Return the result of a delegation to its caller, as a new package',
    body: calls.ReturnPackage,
    answer: resources.PackageDetail,
    status: 201,
    callers: BOTH,
    handle: async ({ deps, caller, packageId, body }) => {
      const taken = await acceptFirst(deps, asking(caller), packageId, body.task);
      if (isRefusal(taken)) return taken;
      const value = withReturnOf(deps.ports, asking(caller), packageId, authored(body.package).value);
      const wanted = { authored: authored(value), key: body.key };
      return mapped(
        await createPackage(deps.ports, asking(caller), { ...wanted, seal: true, waivers: [] }),
        show(deps),
      );
    },
  }),
  route({
    method: 'GET',
    path: PATHS.workflow(ID),
    summary: 'The workflow of a project, read from its file, and the step of each chain of packages, read from the log',
    answer: WorkflowView,
    status: 200,
    callers: BOTH,
    handle: async ({ deps, caller, id }) =>
      mapped(await showWorkflow(deps.ports, asking(caller), id), viewProjectWorkflow),
  }),
  verb('seal', {
    summary: 'Seal a draft: its content is frozen and identified by its hash',
    body: calls.SealPackage,
    does: ({ deps, packageId, body: { package: anew } }, who) =>
      sealDraft(deps.ports, who, packageId, { authored: anew === undefined ? undefined : authored(anew) }),
  }),
  verb('waive', {
    summary: 'Waive a lint error, so that a draft can be sealed',
    body: calls.WaiveRule,
    callers: OPERATOR,
    afar: 'command',
    does: ({ deps, packageId, body }, who) => waiveRule(deps.ports, who, packageId, waiverOf(body)),
  }),
  verb('ack', {
    summary: 'Acknowledge a package; a full acknowledgment accepts it',
    body: calls.AcknowledgePackage,
    callers: ['agent'],
    does: ({ deps, packageId, body }, who) => acknowledgePackage(deps.ports, who, packageId, body.acknowledgment),
  }),
  verb('ask', {
    summary: 'Ask the sender up to five questions before you accept',
    body: calls.AskAboutPackage,
    callers: ['agent'],
    does: ({ deps, packageId, body: { questions } }, who) => askAboutPackage(deps.ports, who, packageId, questions),
  }),
  verb('answer', {
    summary: 'Answer all questions about a package, which creates a new revision',
    body: calls.AnswerPackage,
    afar: 'command',
    does: ({ deps, packageId, body: { answers, package: anew } }, who) =>
      answerPackage(deps.ports, who, packageId, {
        answers,
        authored: anew === undefined ? undefined : authored(anew),
      }),
  }),
  verb('decline', {
    summary: 'Decline a package, with a reason',
    body: calls.DeclinePackage,
    callers: ['agent'],
    does: ({ deps, packageId, body }, who) => declinePackage(deps.ports, who, packageId, body),
  }),
  verb('progress', {
    summary: 'Report progress',
    body: calls.ProgressPackage,
    does: ({ deps, packageId, body }, who) => progressPackage(deps.ports, who, packageId, body.note),
  }),
  verb('complete', {
    summary: 'Complete a package, with a result for each criterion',
    body: calls.CompletePackage,
    does: ({ deps, packageId, body }, who) => completePackage(deps.ports, who, packageId, body),
  }),
  verb('fail', {
    summary: 'Fail a package: the work cannot be done, and it goes back to its sender',
    body: calls.FailPackage,
    does: ({ deps, packageId, body }, who) => failPackage(deps.ports, who, packageId, body.cause),
  }),
  verb('cancel', {
    summary: 'Cancel a package; a person can cancel any package',
    body: calls.ProgressPackage,
    afar: 'command',
    does: ({ deps, packageId, body }, who) => cancelPackage(deps.ports, who, packageId, body.note),
  }),
  verb('restore', {
    summary: 'Undo the cancellation of a package that the operator canceled',
    body: Nothing,
    callers: OPERATOR,
    afar: 'command',
    does: ({ deps, packageId }, who) => restorePackage(deps.ports, who, packageId),
  }),
  verb('remind', {
    summary: 'Remind the agent that must act on a package, as soon as the agent is idle',
    body: Nothing,
    callers: OPERATOR,
    afar: 'command',
    does: ({ deps, packageId }, who) => remindPackage(deps.ports, who, packageId),
  }),
  verb('reassign', {
    summary: 'Give a package to another receiver; the former receiver can no longer act on it',
    body: calls.ReassignPackage,
    callers: OPERATOR,
    afar: 'command',
    does: ({ deps, packageId, body }, who) => reassignPackage(deps.ports, who, packageId, body),
  }),
  verb('decide', {
    summary:
      'Decide a gate or an escalation, as a person. The decision is about exactly the content that was shown; only the first decision counts',
    body: calls.DecidePackage,
    callers: OPERATOR,
    afar: 'command',
    does: ({ deps, packageId, body }, who) => decidePackage(deps.ports, who, packageId, body),
  }),
];
