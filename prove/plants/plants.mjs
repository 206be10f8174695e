/**
 * Bugs that are added to Baton on purpose, to check that the proofs can fail. The product contains none of them. If
 * BATON_PLANT names a bug, each text `find` is replaced by `replace` while a proof loads the source (plugin.mjs), or in
 * a separate build (scripts/build/planted.mjs). `by` is the proof that must fail: the simulated worlds, kills at random
 * moments, or a test file. `red` is a text that the failure must contain. A bug has `red` if the proof could also fail
 * for another reason.
 *
 * @typedef {{ readonly file: string, readonly find: string, readonly replace: string }} Edit
 * @typedef {{ readonly name: string, readonly what: string, readonly by: string, readonly red?: string, readonly edits: readonly Edit[] }} Plant
 */

export const SIM = 'prove:sim';
export const RANDOM = 'prove:crash --random';

const OUTGOING = 'src/domain/handoffs/outgoing-steps.ts';
const ADVANCE = 'src/domain/handoffs/advance.ts';

/** @type {readonly Plant[]} */
export const PLANTS = [
  {
    name: 'no_unique_index',
    what: 'the store does not keep an agent from having two runs in flight',
    by: 'test/adapters/stores/stores.test.ts',
    edits: [
      {
        file: 'src/adapters/stores/sqlite/migrations/0002-handoff-runs.ts',
        find: 'CREATE UNIQUE INDEX one_run_in_flight',
        replace: 'CREATE INDEX one_run_in_flight',
      },
    ],
  },
  {
    name: 'flag_before_typing',
    what: 'the handoff-in-progress flag is set before the instruction is typed',
    by: SIM,
    edits: [
      {
        file: OUTGOING,
        find: "return { to: 'instructing', patch: { retryAt: null } };",
        replace:
          "const ref = promptRef(run, 'instruction'); return { to: 'awaiting_document', patch: { retryAt: null, delivery: newDelivery(ref) }, effects: [typeInstruction(run, ref)] };",
      },
      {
        file: ADVANCE,
        find: "type_instruction: ['instructing'],",
        replace: "type_instruction: ['awaiting_document'],",
      },
    ],
  },
  {
    name: 'typed_is_accepted',
    what: 'typing counts as a receipt',
    by: SIM,
    edits: [
      {
        file: OUTGOING,
        find: "if (fact.outcome.verdict === 'typed') return { patch: { delivery } };",
        replace: "if (fact.outcome.verdict === 'typed') return { to: 'awaiting_document', patch: { delivery } };",
      },
    ],
  },
  {
    name: 'hook_is_acceptance',
    what: "the prompt hook alone counts as acceptance, although the user's own hook may still block the prompt",
    by: SIM,
    edits: [
      {
        file: 'src/domain/handoffs/prompts/prompt-delivery.ts',
        find: 'accepted: delivery.accepted || (fact.promptId === null && !agent?.transcriptPath),',
        replace: 'accepted: true,',
      },
    ],
  },
  {
    name: 'stop_of_another_turn',
    what: "a Stop of any turn counts as the end of the instruction's turn",
    by: SIM,
    edits: [
      {
        file: 'src/domain/handoffs/prompts/prompt-delivery.ts',
        find: '(promptId === null || promptId === delivery.submittedPromptId || delivery.leftSubagents === true);',
        replace: 'promptId !== undefined;',
      },
    ],
  },
  {
    name: 'stop_while_busy',
    what: 'a Stop is believed while tasks of the agent still run in the background',
    by: SIM,
    edits: [
      {
        file: OUTGOING,
        find: 'return subagentsLeft(fact) > 0',
        replace: 'return subagentsLeft(fact) < 0',
      },
    ],
  },
  {
    name: 'record_after_exit',
    what: 'the agent is asked to exit first, and the record is written when it has gone',
    by: SIM,
    edits: [
      {
        file: OUTGOING,
        find: "    to: 'recorded',\n    patch: {\n      document,\n      recordedDocument: null,",
        replace: "    to: 'shutting_down',\n    patch: {\n      document,\n      recordedDocument: null,",
      },
      {
        file: OUTGOING,
        find: '    writes: [recordOf(checked, world)],\n    ...(result',
        replace: '    ...(checked && result',
      },
      {
        file: OUTGOING,
        find: "        to: 'creating_successor',\n        patch: { delivery: null, retryAt: null, observedFacts: false },",
        replace:
          "        to: 'creating_successor',\n        writes: [recordOf(run, world)],\n        patch: { delivery: null, retryAt: null, observedFacts: false },",
      },
    ],
  },
  {
    name: 'facts_not_deduplicated',
    what: 'a hook that is read twice counts twice',
    by: SIM,
    edits: [
      {
        file: 'src/app/engine/record-facts.ts',
        find: 'return tx.appendEvent({ at: ports.clock.now(), agentId, runId, type, data, dedupeKey });',
        replace:
          'return tx.appendEvent({ at: ports.clock.now(), agentId, runId, type, data, dedupeKey: dedupeKey && null });',
      },
    ],
  },
  {
    name: 'typed_again_with_a_new_id',
    what: 'an unconfirmed prompt is typed again under another id, so tmux cannot recognize it',
    by: SIM,
    edits: [
      {
        file: OUTGOING,
        find: "if (fact.outcome.verdict === 'unconfirmed') return { patch: { delivery, retryAt } };",
        replace:
          "if (fact.outcome.verdict === 'unconfirmed') return { patch: { delivery: { ...delivery, ref: delivery.ref + 'x' }, retryAt } };",
      },
    ],
  },
  {
    name: 'claims_of_the_dead_kept',
    what: 'an effect that a killed server had claimed is never performed',
    by: SIM,
    edits: [
      { file: 'src/app/engine/engine.ts', find: 'tx.releaseEffectsNotOf(ports.settings.instance);', replace: '' },
    ],
  },
  {
    name: 'unwanted_effects_performed',
    what: 'an effect of a run that was canceled meanwhile is still performed',
    by: SIM,
    edits: [
      {
        file: 'src/app/engine/effects/still-wanted.ts',
        find: 'return run !== undefined && isWanted(run, effect.kind);',
        replace: 'return run !== undefined && isWanted !== undefined;',
      },
    ],
  },
  {
    name: 'successor_on_session_end',
    what: 'the successor starts when the SessionEnd hook comes, not when the old process is gone',
    by: SIM,
    edits: [
      {
        file: OUTGOING,
        find: '  enter: (run, world) => (isLive(world.agent) ? { effects: [leave(run, world)] } : {}),\n  on: {',
        replace:
          "  enter: (run, world) => (isLive(world.agent) ? { effects: [leave(run, world)] } : {}),\n  on: { session_ended: () => ({ to: 'creating_successor', patch: { delivery: null, retryAt: null } }),",
      },
    ],
  },
  {
    name: 'prompt_before_skill',
    what: 'the successor gets the handoff prompt without waiting for its skill',
    by: SIM,
    edits: [
      {
        file: 'src/domain/handoffs/successor-steps.ts',
        find: "return { to: 'injecting_skill' };",
        replace: "return { to: 'delivering_prompt' };",
      },
    ],
  },
  {
    name: 'gap_not_forgiven',
    what: 'time during which Baton was not running (suspend, Baton down, a jump of the clock) counts towards deadlines',
    by: SIM,
    edits: [
      {
        file: ADVANCE,
        find: 'if (Math.abs(ms) <= world.longestGapMs) return looked;',
        replace: 'if (ms !== undefined) return looked;',
      },
    ],
  },
  {
    name: 'failure_not_announced',
    what: 'a run fails without its handoff_error event',
    by: SIM,
    edits: [
      {
        file: ADVANCE,
        find: "return [progress, { type: 'handoff_error', ...run.failure }];",
        replace: 'return [progress];',
      },
    ],
  },
  {
    name: 'failure_not_in_inbox',
    what: 'a failure is announced once and is not in the inbox',
    by: 'test/app/inbox/operator.test.ts',
    edits: [
      {
        file: 'src/domain/inbox/inbox.ts',
        find: "if (run.step === 'failed' && failure !== null && !isHistory)",
        replace: "if (run.step === 'failed' && failure !== null && isHistory)",
      },
    ],
  },
  {
    name: 'evidence_without_stability',
    what: 'a document counts as finished when it is first observed',
    by: 'test/app/use-cases.test.ts',
    edits: [
      {
        file: 'src/app/engine/reconcile.ts',
        find: "return stability.isStableSince(key, seen, ports.clock.monotonicMs(), forMs)\n    ? [{ type: 'document_evidence_seen', runId: run.id }]",
        replace: "return key !== ''\n    ? [{ type: 'document_evidence_seen', runId: run.id }]",
      },
    ],
  },
  {
    name: 'document_not_kept',
    what: 'the document is called good, and recorded, without a copy of its bytes',
    by: 'test/adapters/files/agent-files.test.ts',
    edits: [
      {
        file: 'src/adapters/files/agent-files.ts',
        find: 'const sha256 = await keepCopy(read.bytes);',
        replace: 'const sha256 = sha256Of(read.bytes);',
      },
    ],
  },
  {
    name: 'damaged_store_opened',
    what: 'a damaged store is opened and written to',
    by: 'test/e2e/handoffs/faults.test.ts',
    edits: [
      { file: 'src/adapters/stores/sqlite/sqlite-store.ts', find: '  refuseDamagedAtStart(path);\n', replace: '' },
    ],
  },
  {
    name: 'hook_removed_before_commit',
    what: 'a hook file is deleted before its facts are on disk',
    by: SIM,
    edits: [
      {
        file: 'src/app/engine/drain-spool.ts',
        find: '  for await (const batch of ports.spool.waiting()) {',
        replace:
          '  for await (const batch of ports.spool.waiting()) {\n    for (const hook of batch) await ports.spool.remove(hook);',
      },
    ],
  },
  {
    name: 'token_not_checked',
    what: 'a hook is accepted for an agent without checking its token',
    by: SIM,
    edits: [
      {
        file: 'src/app/engine/drain-spool.ts',
        find: 'if (agent === undefined || ports.chance.sha256(hook.token) !== agent.tokenHash) {',
        replace: 'if (agent === undefined) {',
      },
    ],
  },
  {
    name: 'package_two_owners',
    what: 'the sender of a package can complete it after the receiver has accepted it',
    by: 'test/domain/packages/package-walk.test.ts',
    edits: [
      {
        file: 'src/domain/packages/advance-package.ts',
        find: 'const stands = by === party ||',
        replace: "const stands = by === party || by === 'sender' ||",
      },
    ],
  },
  {
    name: 'package_owned_by_nobody',
    what: 'the package of a sender that is gone stays with that sender instead of going to Baton',
    by: 'test/domain/packages/package.test.ts',
    edits: [
      {
        file: 'src/domain/packages/advance-package.ts',
        find: "if (whose === 'sender') return { patch: { senderGone: true } };",
        replace: "if (whose === 'sender') return {};",
      },
    ],
  },
  {
    name: 'approval_survives_change',
    what: 'a package passes a gate although an artifact was changed after the approval',
    by: 'test/surfaces/http/packages/workflows.test.ts',
    edits: [
      {
        file: 'src/app/packages/gate-check.ts',
        find: 'path in approved ? there[path] !== approved[path] || here[path] !== approved[path] : path in exists,',
        replace: '!(path in approved) && path in exists,',
      },
    ],
  },
  {
    name: 'gate_knows_one_name',
    what: 'a sequential package to the role or number of the next agent passes without the gate of the workflow step',
    by: 'test/surfaces/http/packages/package-gates.test.ts',
    edits: [
      {
        file: 'src/app/packages/follow-package.ts',
        find: 'addressed.filter(isOf([standing.next.agent]));',
        replace: 'addressed.filter(isOf([]));',
      },
    ],
  },
  {
    name: 'delegation_passes_pending_gate',
    what: 'a delegation to the next agent passes although the gate of the workflow step is pending or rejected',
    by: 'test/surfaces/http/packages/package-gates.test.ts',
    edits: [
      {
        file: 'src/app/packages/gate-check.ts',
        find: '  if (held !== undefined) return refuseDelegation(content, held);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'approved_gate_stays_open',
    what: 'an approved gate waits for its sender to complete it, so the next package asks again',
    by: 'test/surfaces/http/packages/workflows.test.ts',
    edits: [
      {
        file: 'src/app/packages/gate-check.ts',
        find: "if (outcome === 'approved' && seal !== null) {",
        replace: "if (outcome === 'approved' && seal !== null && state === 'accepted') {",
      },
    ],
  },
  {
    name: 'decided_escalation_stays_open',
    what: 'a decision about an escalation leaves it open',
    by: 'test/domain/packages/package.test.ts',
    edits: [
      {
        file: 'src/domain/packages/advance-package.ts',
        find: "  return {\n    to: 'completed',\n    patch: { approvedItems, decision",
        replace:
          "  return {\n    to: record.gate === null ? 'accepted' : 'completed',\n    patch: { approvedItems, decision",
      },
    ],
  },
  {
    name: 'timeout_approves',
    what: 'a blocking gate that is not answered in time counts as approved',
    by: 'test/domain/packages/package-walk.test.ts',
    edits: [
      {
        file: 'src/domain/packages/advance-package.ts',
        find: "if (record.state === 'pending' && record.gate?.kind === 'non_blocking')\n    return { to: 'completed', patch: { outcome: 'no_objection' } };",
        replace:
          "if (record.state === 'pending' && record.gate !== null)\n    return { to: 'completed', patch: { outcome: 'approved' } };",
      },
    ],
  },
  {
    name: 'agent_decides_gate',
    what: 'an agent that calls itself human can decide a gate',
    by: 'test/domain/packages/package-walk.test.ts',
    edits: [
      {
        file: 'src/domain/packages/advance-package.ts',
        find: "if (fact.channel === 'agent')",
        replace: "if (fact.channel === 'agent' && fact.by !== 'human')",
      },
    ],
  },
  {
    name: 'host_not_checked',
    what: 'a page of any host name that resolves to 127.0.0.1 is answered',
    by: 'test/e2e/operator/guard.test.ts',
    edits: [
      {
        file: 'src/surfaces/http/server/guard.ts',
        find: 'given.length === 1 ? addresses.find(({ host }) => host === given[0]) : undefined',
        replace: 'given.length === 1 ? (addresses.find(({ host }) => host === given[0]) ?? addresses[0]) : undefined',
      },
    ],
  },
  {
    name: 'token_by_beginning',
    what: 'a token with extra characters at its end is accepted',
    by: 'test/e2e/operator/guard.test.ts',
    edits: [
      {
        file: 'src/surfaces/http/server/create-server.ts',
        find: 'if (sameHash(given, operatorHash))',
        replace: 'if (sameHash(given, operatorHash) || token.startsWith(operatorToken))',
      },
    ],
  },
  {
    name: 'agent_acts_as_operator',
    what: "in an agent's shell the command line uses the operator's token",
    by: 'test/e2e/operator/agent-as-operator.test.ts',
    edits: [
      {
        file: 'src/surfaces/cli/agents-shell.ts',
        find: 'if (agent === undefined && !isInTmux) return;',
        replace: 'if (agent !== undefined || !isInTmux) return;',
      },
    ],
  },
  {
    name: 'agent_by_variables_only',
    what: 'an agent that drops its variables is taken for the operator',
    by: 'test/adapters/system/agent-above.test.ts',
    edits: [
      {
        file: 'src/adapters/system/agent-above.ts',
        find: 'const found = agentNamedIn(environmentOf(pid), home) ?? adoptedAs(pid, home);',
        replace: 'const found = adoptedAs(pid, home);',
      },
    ],
  },
  {
    name: 'quadratic_expression',
    what: 'a row of full stops takes quadratic time',
    by: 'test/prove/expressions.test.ts',
    edits: [
      {
        file: 'src/domain/packages/lint/texts.ts',
        find: 'text.split(/[.!?。！？]{1,10}(?:\\s|$)/)',
        replace: 'text.split(/[.!?。！？]+(?:\\s|$)/)',
      },
    ],
  },
  {
    name: 'package_acknowledged_by_anyone',
    what: 'an agent that is not the receiver accepts a package in its name',
    by: 'test/domain/packages/package-rights.test.ts',
    edits: [
      {
        file: 'src/domain/packages/advance-package.ts',
        find: "const refusal = onlyFor(record, fact.by, 'receiver');\n  if (refusal !== undefined) return refusal;\n  const judged",
        replace:
          "const refusal = onlyFor(record, 'receiver', 'receiver');\n  if (refusal !== undefined) return refusal;\n  const judged",
      },
    ],
  },
  {
    name: 'package_hash_by_author',
    what: 'the seal contains what the author says about a file, not what the host saw',
    by: 'test/domain/packages/package-rights.test.ts',
    edits: [
      {
        file: 'src/domain/packages/content/seal-package.ts',
        find: '{ ...artifact, sha256: found.sha256, bytes: found.bytes }',
        replace: '{ ...artifact, sha256: _s ?? found.sha256, bytes: found.bytes }',
      },
    ],
  },
  {
    name: 'package_superseded_by_anyone',
    what: "an agent supersedes another agent's package",
    by: 'test/surfaces/http/packages/package-bystanders.test.ts',
    edits: [
      {
        file: 'src/app/packages/follow-package.ts',
        find: "return kind === 'operator' || old.record.from === from.agent",
        replace: 'return kind !== undefined || from === undefined',
      },
    ],
  },
  {
    name: 'criterion_not_checked',
    what: 'a criterion about a file counts as passed although the file is not there',
    by: 'test/surfaces/http/packages/packages.test.ts',
    edits: [
      {
        file: 'src/app/packages/check-results.ts',
        find: "if (file !== undefined && result.result === 'pass' && !isRight)",
        replace: "if (file !== undefined && result.result === 'unknown' && !isRight)",
      },
    ],
  },
  {
    name: 'secret_beside_a_package',
    what: 'a secret in a note about a package is stored unredacted',
    by: 'test/surfaces/http/packages/package-secrets.test.ts',
    edits: [
      {
        file: 'src/app/packages/act-on-package.ts',
        find: 'const unfit = refuseText(ports, words);',
        replace: 'const unfit = refuseText(ports, { id });',
      },
    ],
  },
  {
    name: 'told_during_handoff',
    what: 'an agent is notified of a package during its handoff',
    by: 'test/surfaces/http/packages/package-bystanders.test.ts',
    edits: [
      {
        file: 'src/app/packages/background/announce-packages.ts',
        find: "agent.priming.status !== 'typing' && !inRun;",
        replace: "agent.priming.status !== 'typing' && inRun !== undefined;",
      },
    ],
  },
  {
    name: 'announcement_without_the_others',
    what: 'only the first of several waiting packages is announced, and the others are noted as announced',
    by: 'test/surfaces/http/packages/packages.test.ts',
    edits: [
      {
        file: 'src/app/packages/background/announce-packages.ts',
        find: 'others.length === 0 ? {} : { others: others.map(({ id }) => id) };',
        replace: 'others.length >= 0 ? {} : { others: others.map(({ id }) => id) };',
      },
    ],
  },
  {
    name: 'noted_before_archived',
    what: 'a package is noted as archived before its files are written, so a kill in between loses them',
    by: SIM,
    edits: [
      {
        file: 'src/app/packages/background/package-writer.ts',
        find: '  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));',
        replace:
          '  await ports.store.write((tx) => {\n    for (const { record, seq } of behind) tx.packageWritten(record.id, seq);\n  });\n  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));',
      },
    ],
  },
  {
    name: 'announced_by_each_server',
    what: 'the announcement of a package gets a new id in each server, so a kill after the typing types it twice',
    by: SIM,
    edits: [
      {
        file: 'src/app/engine/effects/announce-package.ts',
        find: '    ref,\n    runId: null,',
        replace: '    ref: [ref, ports.settings.instance].join("-"),\n    runId: null,',
      },
    ],
  },
  {
    name: 'ticked_for_ever',
    what: 'a package that waits is ticked, logged and written again every two minutes for as long as it waits',
    by: 'test/adapters/stores/stores.test.ts',
    edits: [
      {
        file: 'src/domain/packages/stored-package.ts',
        find: "reminders <= 1 || waiter === 'human';",
        replace: "reminders <= 1e9 || waiter === 'human';",
      },
    ],
  },
  {
    name: 'second_agent_for_a_step',
    what: 'an agent for the next step is started although one came meanwhile',
    by: 'test/surfaces/http/packages/workflows.test.ts',
    edits: [
      {
        file: 'src/app/packages/background/start-receivers.ts',
        find: 'const now = withoutReceiver(tx).find(({ stored }) => stored.record.id === wanted.stored.record.id);',
        replace: 'const now = wanted;',
      },
    ],
  },
  {
    name: 'failure_muted',
    what: 'failures of a muted agent are not sent either',
    by: 'test/app/inbox/notification-policy.test.ts',
    edits: [
      {
        file: 'src/domain/inbox/notification-policy.ts',
        find: "if (telling === 'failures') return 'now';",
        replace: "if (telling === 'failures' && !rules.isMuted) return 'now';",
      },
    ],
  },
  {
    name: 'resumed_twice',
    what: 'two resume requests at once continue a conversation in two agents',
    by: 'test/app/agents/resume.test.ts',
    edits: [
      {
        file: 'src/app/agents/resume/resume-agent.ts',
        find: 'const ended = judge(tx, agentId, anyway);',
        replace: 'const ended = judged;',
      },
    ],
  },
  {
    name: 'restored_for_ever',
    what: 'an agent that fails at its start is brought back at every reconcile',
    by: 'test/app/agents/restoring.test.ts',
    edits: [
      {
        file: 'src/app/agents/resume/restore-agents.ts',
        find: 'if (stillborn !== undefined) return failed(',
        replace: 'if (stillborn !== undefined && wentOnIn([stillborn])) return failed(',
      },
    ],
  },
  {
    name: 'adopted_twice',
    what: 'two adopt requests at once make two agents of one session',
    by: 'test/app/sessions/adoption.test.ts',
    edits: [
      {
        file: 'src/app/sessions/adopt-session.ts',
        find: '  if (taken !== undefined) return taken;\n  const persona',
        replace: '  const persona',
      },
    ],
  },
  {
    name: 'released_is_ended',
    what: 'a released session is ended',
    by: 'test/app/sessions/adoption.test.ts',
    edits: [
      {
        file: 'src/app/engine/effects/adopt-pane.ts',
        find: '  await ports.terminal.release(pane);\n  return',
        replace: '  await ports.terminal.release(pane);\n  await ports.terminal.end(pane);\n  return',
      },
    ],
  },
  {
    name: 'worktree_goes_with_work',
    what: 'a worktree is removed with uncommitted work if any other loss was named',
    by: 'test/app/agents/restoring.test.ts',
    edits: [
      {
        file: 'src/app/worktrees/worktrees.ts',
        find: '!request.force.includes(loss)',
        replace: 'request.force.length === 0',
      },
    ],
  },
  {
    name: 'worktree_goes_under_agent',
    what: 'a worktree is removed although its agent comes back at the last moment',
    by: 'test/app/agents/restoring.test.ts',
    edits: [
      {
        file: 'src/app/worktrees/worktrees.ts',
        find: 'const used = refuseInUse(tx, worktree);',
        replace: 'const used = tx === undefined ? refuseInUse(tx, worktree) : undefined;',
      },
    ],
  },
  {
    name: 'environment_shown',
    what: 'only variables whose name suggests a secret are masked',
    by: 'test/app/agents/restoring.test.ts',
    edits: [
      {
        file: 'src/app/agents/show-environment.ts',
        find: ' || secrets.redact(',
        replace: ' || String(',
      },
    ],
  },
  {
    name: 'purged_without_yes',
    what: 'purge deletes without --yes instead of listing what it would delete',
    by: 'test/maintenance/purge.test.ts',
    edits: [
      {
        file: 'src/main/maintenance/purge-home.ts',
        find: 'if (request.yes) {',
        replace: 'if (request.yes || !request.documents) {',
      },
    ],
  },
  {
    name: 'login_code_twice',
    what: 'a login code works more than once',
    by: 'test/surfaces/http/page-sessions.test.ts',
    edits: [
      {
        file: 'src/surfaces/http/sessions/logins.ts',
        find: '      codes.delete(key);\n      if',
        replace: '      if',
      },
    ],
  },
  {
    name: 'screen_alone_is_rest',
    what: 'an empty composer without a known sign of work counts as idle',
    by: 'test/app/use-cases.test.ts',
    edits: [
      {
        file: 'src/app/engine/reconcile.ts',
        find: "  if (hasRested(agent)) return 'hooks';",
        replace: "  if (hasRested(agent) || seen.kind === 'ready') return 'hooks';",
      },
    ],
  },
  {
    name: 'status_not_asked',
    what: 'a prompt is pasted without checking that the agent is idle',
    by: 'test/adapters/tmux/typing/deliver-refusals.test.ts',
    edits: [
      {
        file: 'src/adapters/tmux/typing/await-ready.ts',
        find: "state.kind === 'ready' ? await delivery.whyNotAtRest?.() : undefined;",
        replace: "undefined as Awaited<ReturnType<NonNullable<Delivery['whyNotAtRest']>>>;",
      },
    ],
  },
  {
    name: 'retry_is_rest',
    what: 'the line of an API error that is being retried does not count as work',
    by: 'test/adapters/runtimes/claude-code.test.ts',
    edits: [
      {
        file: 'src/adapters/runtimes/claude-code/claude-screen.ts',
        find: '[STILL_SPINNER, RETRYING, WAITING_FOR_WORK].some',
        replace: '[STILL_SPINNER, WAITING_FOR_WORK].some',
      },
    ],
  },
  {
    name: 'subagent_is_no_work',
    what: 'an agent whose subagent still runs counts as idle',
    by: 'test/domain/agents/agent.test.ts',
    edits: [
      {
        file: 'src/domain/agents/apply-fact.ts',
        find: "background.filter(({ kind }) => kind !== 'shell').length",
        replace: 'background.filter(({ kind }) => kind === undefined).length',
      },
    ],
  },
  {
    name: 'cursor_tells_a_draft',
    what: 'text in the composer does not count as a draft while the cursor is before it',
    by: 'test/adapters/runtimes/claude-code.test.ts',
    edits: [
      {
        file: 'src/adapters/runtimes/claude-code/claude-screen.ts',
        find: "if (shell || text !== '')",
        replace: "if (shell || (text !== '' && screen.cursorX !== 2))",
      },
    ],
  },
  {
    name: 'leftover_stays',
    what: 'a message that was pasted before Baton died stays in the composer forever',
    by: 'test/app/messages/messages.test.ts',
    edits: [
      {
        file: 'src/app/messages/send-message.ts',
        find: '  for (const agent of waiting()) await sendOff(ports, agent);',
        replace: '  for (const agent of waiting().slice(0, 0)) await sendOff(ports, agent);',
      },
    ],
  },
  {
    name: 'abandoned_message_untold',
    what: 'the operator is not notified of a message whose sender got no answer because Baton died',
    by: 'test/app/messages/messages.test.ts',
    edits: [
      {
        file: 'src/domain/agents/apply-fact.ts',
        find: "if (fact.type === 'message_overdue' && fact.senderGone) return",
        replace: "if (fact.type === 'message_overdue' && fact.senderGone === undefined) return",
      },
    ],
  },
  {
    name: 'killed_message_untold',
    what: 'the same bug, met by real kills while messages are on their way',
    by: RANDOM,
    edits: [
      {
        file: 'src/domain/agents/apply-fact.ts',
        find: "if (fact.type === 'message_overdue' && fact.senderGone) return",
        replace: "if (fact.type === 'message_overdue' && fact.senderGone === undefined) return",
      },
    ],
  },
  {
    name: 'api_before_mark',
    what: 'the control API of a client gets a prompt before the pane is marked with its id',
    by: 'test/adapters/tmux/typing/deliver-by-api.test.ts',
    edits: [
      {
        file: 'src/adapters/tmux/typing/deliver-by-api.ts',
        find: 'if (!(await access.markForApi(delivery.id))) return undefined;',
        replace: '',
      },
      {
        file: 'src/adapters/tmux/typing/deliver-by-api.ts',
        find: "if (outcome.verdict !== 'refused') return { ...outcome, by: 'api' };",
        replace:
          "if (outcome.verdict !== 'refused') return (await access.markForApi(delivery.id)) ? { ...outcome, by: 'api' } : undefined;",
      },
    ],
  },
  {
    name: 'countdown_goes_on_while_down',
    what: 'a countdown that ended while Baton was down begins a handoff that nobody saw coming',
    by: SIM,
    edits: [
      {
        file: 'src/app/handoffs/policy/tend-auto-handoffs.ts',
        find: 'const wasAway = lookedAt === undefined ||',
        replace: 'const wasAway = lookedAt !== undefined &&',
      },
    ],
  },
  {
    name: 'countdown_over_at_restart',
    what: 'after a kill the countdown begins again with no time left, so nobody can cancel it',
    by: 'test/prove/knowledge/crash-countdown.test.ts',
    red: 'lasted only',
    edits: [
      {
        file: 'src/domain/handoffs/policy/decide.ts',
        find: '  after(now, policy.countdownSeconds * 1000);',
        replace: '  after(now, policy.countdownSeconds * 0);',
      },
    ],
  },
  {
    name: 'auto_handoff_not_counted',
    what: 'an automatic handoff is not counted for its persona, so the daily number never holds',
    by: SIM,
    edits: [
      {
        file: 'src/app/handoffs/policy/tend-auto-handoffs.ts',
        find: 'count: countOn(day, persona.autoHandoffs) + 1',
        replace: 'count: countOn(day, persona.autoHandoffs)',
      },
    ],
  },
  {
    name: 'loop_breaker_off',
    what: 'a successor that has done nothing is handed off again by itself',
    by: SIM,
    edits: [
      {
        file: 'src/domain/handoffs/policy/decide.ts',
        find: 'if (world.isSuccessor && work === null) {',
        replace: 'if (world.isSuccessor && work === null && held?.why === undefined && false) {',
      },
    ],
  },
  {
    name: 'cancel_forgotten',
    what: 'a countdown that a person canceled begins again',
    by: SIM,
    edits: [
      {
        file: 'src/domain/handoffs/policy/track-auto.ts',
        find: 'isCancelled: true,',
        replace: 'isCancelled: false,',
      },
    ],
  },
  {
    name: 'accepted_lesson_forgotten',
    what: 'a kill between the decision and the file loses an accepted lesson',
    by: 'test/prove/knowledge/crash-lessons.test.ts',
    red: 'stuck: lesson',
    edits: [
      {
        file: 'src/app/personas/write-lessons.ts',
        find: 'const lessons = ports.store.read((tx) => tx.lessonsToWrite());',
        replace: 'const lessons = ports.store.read((tx) => tx.lessonsToWrite().slice(0, 0));',
      },
    ],
  },
  {
    name: 'lesson_not_found_again',
    what: 'a kill after the file was written, before the record, adds the lesson a second time',
    by: 'test/prove/knowledge/crash-lessons.test.ts',
    red: 'doubled: experience.md has lesson',
    edits: [
      {
        file: 'src/domain/personas/lesson.ts',
        find: 'line.includes(mark(lesson)) || fingerprint(withoutOrigin(line)) === words',
        replace: 'line === mark(lesson) && fingerprint(withoutOrigin(line)) === words',
      },
    ],
  },
  {
    name: 'usage_counted_twice',
    what: 'a transcript that is read again after a restart counts its tokens again',
    by: 'test/app/usage/usage.test.ts',
    edits: [
      {
        file: 'src/domain/usage/usage.ts',
        find: 'const own = known.find(({ source }) => source === report.source);',
        replace: 'const own = known.find(({ source }) => source === report.source && source === "client");',
      },
    ],
  },
  {
    name: 'unreported_is_zero',
    what: 'an agent whose client reports nothing has zero tokens instead of unknown tokens',
    by: 'test/app/usage/usage.test.ts',
    edits: [
      {
        file: 'src/app/usage/count-usage.ts',
        find: 'NOTHING_REPORTED: Usage = { tokens: null,',
        replace: 'NOTHING_REPORTED: Usage = { tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },',
      },
    ],
  },
  {
    name: 'budget_notice_every_report',
    what: 'each report after the budget was passed opens another notice',
    by: 'test/app/usage/usage.test.ts',
    edits: [
      {
        file: 'src/app/usage/count-usage.ts',
        find: '{ agentId: null, runId: null }, `token-budget/',
        replace: '{ agentId: null, runId: null }, String(used) + `token-budget/',
      },
    ],
  },
  {
    name: 'open_points_forgotten',
    what: 'the prompt of a successor does not list the open points of earlier documents',
    by: 'test/domain/personas/open-point.test.ts',
    edits: [
      {
        file: 'src/domain/personas/open-point.ts',
        find: '  if (document === null) return open;',
        replace: '  if (document === null || open.length > 0) return [];',
      },
    ],
  },
  {
    name: 'fleet_no_chain',
    what: 'the hub stores an event without checking that it follows the last one',
    by: 'test/prove/fleet.test.ts',
    red: 'doubled in',
    edits: [
      {
        file: 'src/adapters/fleet/nats-link.ts',
        find: 'expect: { lastSequence: expected },',
        replace: '...(expected < 0 ? { retries: 0 } : {}),',
      },
    ],
  },
  {
    name: 'fleet_ledger_after_effect',
    what: 'a command is written into the ledger only with its answer, after its effect',
    by: 'test/prove/fleet.test.ts',
    red: 'executed_twice in',
    edits: [
      {
        file: 'src/app/fleet/take-commands.ts',
        find: '        inLedger(tx, command, at);\n        return work(tx);',
        replace: '        void at;\n        return work(tx);',
      },
    ],
  },
  {
    name: 'fleet_unsigned_accepted',
    what: 'a command without a valid signature is performed',
    by: 'test/prove/fleet.test.ts',
    red: 'forged_accepted in',
    edits: [
      {
        file: 'src/domain/fleet/command.ts',
        find: 'if (!world.isSignedBy(sender.key))',
        replace: 'if (world.isSignedBy(sender.key) && false)',
      },
    ],
  },
];

/**
 * Returns the source with the planted bug. Throws unless each text `find` of the bug occurs exactly once in the file.
 *
 * @param {Plant} plant
 * @param {string} file relative to the repository
 * @param {string} source
 * @returns {string | undefined} undefined if the bug does not change this file
 */
export function planted(plant, file, source) {
  const edits = plant.edits.filter((edit) => edit.file === file);
  if (edits.length === 0) return undefined;
  return edits.reduce((text, { find, replace }) => {
    const pieces = text.split(find);
    if (pieces.length !== 2)
      throw new Error(`plant ${plant.name} fits ${pieces.length - 1} times into ${file}: ${find}`);
    return pieces.join(replace);
  }, source);
}

/** @param {string} name */
export function plantNamed(name) {
  const plant = PLANTS.find((each) => each.name === name);
  if (plant === undefined)
    throw new Error(`there is no plant ${name}; there are: ${PLANTS.map((each) => each.name).join(', ')}`);
  return plant;
}
