import type { z } from 'zod';
import { rememberReads } from '../../../app/engine/remember-reads.ts';
import { loadRunContext } from '../../../app/engine/run-context.ts';
import { acknowledgeHandoff } from '../../../app/handoffs/acknowledge-handoff.ts';
import { chooseRunAction, recordNotFound, resumeHandoff } from '../../../app/handoffs/choose-run-action.ts';
import { succeedAgent } from '../../../app/handoffs/replace-agent.ts';
import { requestHandoff } from '../../../app/handoffs/request-handoff.ts';
import { textsOfRun } from '../../../app/messages/sent-prompts.ts';
import type { RuntimeRequest } from '../../../app/personas/choose-runtime.ts';
import { personaNamed } from '../../../app/personas/find-by-name.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { agentNotFound } from '../../../domain/agents/refuse-unreachable.ts';
import { watchedAgentId } from '../../../domain/handoffs/advance.ts';
import { RUN_ACTIONS, RUN_STATES, type Run, type RunAction } from '../../../domain/handoffs/run.ts';
import { whatRunWaitsFor } from '../../../domain/handoffs/waits.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { runOfRecord, viewHandoff, viewHandoffSummary, viewPromptText, viewRun } from '../agents/views.ts';
import { mapInTurns } from '../server/in-turns.ts';
import { cutAt, pageIn } from '../server/page-in.ts';
import { type HttpDeps, ID, mapped, OPERATOR, type Route, route } from '../server/route.ts';

/**
 * Returns a function that converts runs to the format of the API. Call `showRuns` once for each answer, because the
 * returned function caches the rows that it reads.
 */
export const showRuns = ({ ports }: HttpDeps) => {
  const tx = rememberReads(ports.store.read);
  return (run: Run): resources.Run => {
    const world = loadRunContext(tx, ports, run);
    const watched = watchedAgentId(run) === run.agentId ? world.agent : world.successor;
    return viewRun(run, world, whatRunWaitsFor(run, world, watched));
  };
};

const initiated =
  ({ ports }: HttpDeps) =>
  (run: Run): z.infer<typeof requests.HandoffInitiated> => {
    const { background = [] } = ports.store.read((tx) => tx.agentById(run.agentId)) ?? {};
    const shells = background.filter(({ kind }) => kind === 'shell').map(({ what }) => what);
    return { status: 'initiated', run_id: run.id, ...(shells.length === 0 ? {} : { background_shells: shells }) };
  };

const runNotFound = (id: number): Refusal => ({ code: 'run_not_found', sentence: `Handoff ${id} not found` });

const ACTION_IN_WORDS: Record<RunAction, string> = {
  wait: 'Wait again at the step that timed out',
  interrupt: 'Interrupt the agent, so that it becomes idle',
  check_again: 'Check again for the document, or whether the prompt arrived',
  instruct_again: 'Ask the agent for the document again',
  adopt: 'Use another file of the agent as the handoff document',
  retry: 'Repeat the step at which the run failed',
  accept: 'Complete the run without an acknowledgment; possible once the successor has the handoff prompt',
  nudge: 'Remind the successor that ended its turn without an acknowledgment',
  message: 'Send a message to the successor that ended its turn without an acknowledgment',
  force_exit: 'Kill the agent that does not exit',
  approve: 'Approve the document; Baton then asks the agent to exit, or starts the successor if the agent has ended',
  send_back: 'Send the document back with a comment; the agent rewrites it, and the record is updated',
  cancel: 'Cancel a run before the outgoing agent is asked to exit',
  resume: 'Continue a run that has a record: from the failed step, or after a cancel with a new document',
  use_recorded: 'Continue with the recorded document, although the agent may have worked since',
  undo: 'Undo the handoff: end the successor and resume the predecessor',
};

const ACTION_ROUTES: readonly Route[] = RUN_ACTIONS.filter(
  (action) => action !== 'adopt' && action !== 'send_back' && action !== 'message' && action !== 'resume',
).map((action) =>
  route({
    method: 'POST',
    path: PATHS.runAction(ID, action),
    summary: ACTION_IN_WORDS[action],
    body: requests.Nothing,
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id }) => mapped(await chooseRunAction(deps.ports, { runId: id, action }), showRuns(deps)),
  }),
);

const runtimeIn = ({ runtime, model, client_args: args }: z.infer<typeof requests.ResumeRun>): RuntimeRequest => ({
  runtime,
  model,
  args,
});

export const HANDOFF_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: PATHS.runAction(ID, 'resume'),
    summary: ACTION_IN_WORDS.resume,
    body: requests.ResumeRun,
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body }) =>
      mapped(
        await chooseRunAction(deps.ports, { runId: id, action: 'resume', successor: runtimeIn(body) }),
        showRuns(deps),
      ),
  }),
  route({
    method: 'POST',
    path: PATHS.handoff(ID),
    summary: 'Hand the agent off to a successor; answers at once',
    body: requests.TriggerHandoff,
    answer: requests.HandoffInitiated,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body: { reason, note, review = false, background, ...wish } }) =>
      mapped(
        await requestHandoff(deps.ports, id, { reason, note, review, background }, runtimeIn(wish)),
        initiated(deps),
      ),
  }),
  route({
    method: 'POST',
    path: PATHS.succeed(ID),
    summary: 'Start a successor for an agent that died without a document',
    body: requests.SucceedAgent,
    answer: requests.HandoffInitiated,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body: { reason, note, ...wish } }) =>
      mapped(await succeedAgent(deps.ports, id, { reason, note, review: false }, runtimeIn(wish)), initiated(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.runs,
    summary:
      'Handoff runs, newest first; ?state= in_flight, failed, completed or cancelled; ?limit= (100 unless given), ?before=ID for runs older than the run with this id',
    answer: resources.RunList,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, query }) => {
      const page = pageIn(query);
      const wanted = query.get('state') ?? undefined;
      const state = RUN_STATES.find((each) => each === wanted);
      if (wanted !== state)
        return {
          code: 'bad_request',
          sentence: `A handoff has no state "${wanted?.slice(0, 100)}". Use one of: ${RUN_STATES.join(', ')}.`,
        } as const;
      const found = deps.ports.store.read((tx) => tx.runs(page.oneMore, state));
      const { rows, next } = cutAt(found, page);
      return { runs: await mapInTurns(rows, showRuns(deps), deps.ports.store), next };
    },
  }),
  route({
    method: 'GET',
    path: PATHS.run(ID),
    summary: 'One handoff run: every step with its time, and the possible actions',
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
    handle: ({ deps, id }) => mapped(deps.ports.store.read((tx) => tx.runById(id)) ?? runNotFound(id), showRuns(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.runTexts(ID),
    summary: 'The prompts that were typed in a handoff run, and the skill of its successor',
    answer: resources.RunTexts,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
    handle: ({ deps, id }) =>
      mapped(textsOfRun(deps.ports, id) ?? runNotFound(id), (texts) => ({ texts: texts.map(viewPromptText) })),
  }),
  ...ACTION_ROUTES,
  route({
    method: 'POST',
    path: PATHS.runAction(ID, 'adopt'),
    summary: ACTION_IN_WORDS.adopt,
    body: requests.AdoptFile,
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body: { file } }) =>
      mapped(await chooseRunAction(deps.ports, { runId: id, action: 'adopt', file }), showRuns(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.runAction(ID, 'send_back'),
    summary: ACTION_IN_WORDS.send_back,
    body: requests.SendBack,
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body: { comment } }) =>
      mapped(await chooseRunAction(deps.ports, { runId: id, action: 'send_back', comment }), showRuns(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.runAction(ID, 'message'),
    summary: ACTION_IN_WORDS.message,
    body: requests.MessageSuccessor,
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body: { text } }) =>
      mapped(await chooseRunAction(deps.ports, { runId: id, action: 'message', comment: text }), showRuns(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.acknowledge(ID),
    summary: 'The successor restates the task and proves that it read the document',
    body: requests.Acknowledge,
    answer: resources.Run,
    status: 200,
    callers: ['agent'],
    handle: async ({ deps, id, body, caller }) => {
      const agentId = caller.kind === 'agent' ? caller.agentId : 0;
      const agent = deps.ports.store.read((tx) => tx.agentById(agentId));
      if (agent === undefined) return agentNotFound(agentId);
      return mapped(await acknowledgeHandoff(deps.ports, agent, { runId: id, ...body }), showRuns(deps));
    },
  }),
  route({
    method: 'GET',
    path: PATHS.handoffs,
    summary:
      'The handoff records, newest first; ?persona=SLUG for the records of one persona; ?limit= (100 unless given), ?before=ID for records older than the record with this id',
    answer: resources.HandoffList,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps: { ports }, query }) => {
      const wanted = query.get('persona');
      const persona = wanted === null ? undefined : ports.store.read((tx) => personaNamed(tx, wanted));
      if (isRefusal(persona)) return persona;
      const page = pageIn(query);
      const { rows, next } = cutAt(
        ports.store.read((tx) => tx.handoffs(page.oneMore, persona?.id)),
        page,
      );
      const tx = rememberReads(ports.store.read);
      return { handoffs: await mapInTurns(rows, (record) => viewHandoffSummary(tx, record), ports.store), next };
    },
  }),
  route({
    method: 'GET',
    path: PATHS.handoffRecord(ID),
    summary: 'One handoff record with its run and the document as it was verified',
    answer: resources.HandoffDetail,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
    handle: async ({ deps, id }) => {
      const { record, run } = deps.ports.store.read((tx) => {
        const found = tx.handoffById(id);
        return { record: found, run: found && runOfRecord(tx, found) };
      });
      if (record === undefined) return recordNotFound(id);
      const sha256 = run?.document?.sha256;
      const kept = sha256 ? await deps.ports.files.keptDocument(sha256) : {};
      return {
        ...viewHandoff(record),
        run: run === undefined ? null : showRuns(deps)(run),
        document_text: kept.text ?? null,
        document_problem: kept.problem ?? null,
      };
    },
  }),
  route({
    method: 'POST',
    path: PATHS.resumeHandoff(ID),
    summary: ACTION_IN_WORDS.resume,
    body: requests.Nothing,
    answer: resources.Run,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id }) => mapped(await resumeHandoff(deps.ports, id), showRuns(deps)),
  }),
];
