import { describe, expect, it } from 'vitest';
import { startAgent } from '../../../src/app/agents/start-agent.ts';
import { capabilitiesOf } from '../../../src/app/engine/client/capabilities.ts';
import { checkSuccessorCanStart } from '../../../src/app/engine/effects/documents.ts';
import { chooseRunAction } from '../../../src/app/handoffs/choose-run-action.ts';
import { requestHandoff } from '../../../src/app/handoffs/request-handoff.ts';
import { changeProjectRunsOn } from '../../../src/app/personas/change-runs-on.ts';
import { editPersona } from '../../../src/app/personas/edit-persona.ts';
import type { AgentRuntime } from '../../../src/app/ports/agent-runtime.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import type { Fact } from '../../../src/domain/facts.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { inheritTo } from '../../../src/domain/personas/runs-on.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { SimWorld } from '../engine/sim-world.ts';

/**
 * Creates a world with two runtimes, `sim` and `other`. In both runtimes, the operator can choose the model. A test can
 * make `other` unavailable.
 */
async function scene() {
  const sim = new SimWorld();
  const [own] = [...sim.ports.runtimes.values()] as [AgentRuntime];
  const problem: { other?: string } = {};
  const takesModel = { modelArgs: (model: string) => ['--model', model], refuseArgs: () => undefined };
  const other = { ...own, ...takesModel, id: 'other', title: 'Other', unavailableReason: async () => problem.other };
  Object.assign(sim.ports, {
    runtimes: new Map([
      ['sim', Object.assign(own, takesModel)],
      ['other', other],
    ]),
  });
  const agent = await sim.addAgent({ model: 'small', clientArgs: ['--loud'], permissionMode: 'plan' });
  const slug = sim.ports.store.read((tx) => tx.personaById(1)?.slug) ?? '';
  return { sim, agent, problem, slug };
}

type Scene = Awaited<ReturnType<typeof scene>>;

async function handOff({ sim, agent }: Scene, wish = {}): Promise<Run> {
  const run = await requestHandoff(sim.ports, agent.id, { reason: undefined, note: undefined }, wish);
  if (isRefusal(run)) throw new Error(run.sentence);
  return run;
}

/** Plays the run until its successor exists, and returns the successor. */
async function successorOf({ sim, agent }: Scene, run: Run): Promise<Agent> {
  const place: Fact = { type: 'document_place_prepared', runId: run.id, path: 'd.md', absolutePath: '/d.md' };
  await sim.record(
    place,
    { type: 'prompt_submitted', agentId: agent.id, promptId: 'p', ref: null, excerpt: '', textHash: '' },
    { type: 'document_evidence_seen', runId: run.id },
  );
  await sim.ports.store.write((tx) => tx.saveRun({ ...sim.run(run.id), step: 'recorded', handoffId: 1 }));
  await sim.record(...(await checkSuccessorCanStart(sim.ports, effectFor(run))));
  await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
  return sim.agent(sim.run(run.id).successorAgentId ?? 0);
}

const effectFor = (run: Run) => ({ kind: 'check_successor_can_start', agentId: run.agentId, runId: run.id }) as const;

describe('a successor', () => {
  it('a successor on the same runtime inherits model, arguments and permission mode', async () => {
    const on = await scene();
    expect(await successorOf(on, await handOff(on))).toMatchObject({
      runtime: 'sim',
      model: 'small',
      clientArgs: ['--loud'],
      permissionMode: 'plan',
    });
  });

  it('[H57] a successor on another runtime inherits neither arguments nor permission mode', async () => {
    const on = await scene();
    const successor = await successorOf(on, await handOff(on, { runtime: 'other', model: 'large' }));
    expect(successor).toMatchObject({ runtime: 'other', model: 'large' });
    expect([successor.clientArgs, successor.permissionMode]).toEqual([undefined, undefined]);
  });

  it("a successor runs on the first available runtime of the persona's list", async () => {
    const on = await scene();
    await editPersona(on.sim.ports, on.slug, { runsOn: [{ runtime: 'other', model: 'x' }, { runtime: 'sim' }] });
    on.problem.other = 'Other is not installed.';
    expect(await successorOf(on, await handOff(on))).toMatchObject({ runtime: 'sim', model: 'small' });
    const again = await scene();
    await editPersona(again.sim.ports, again.slug, { runsOn: [{ runtime: 'other', model: 'x' }, { runtime: 'sim' }] });
    expect(await successorOf(again, await handOff(again))).toMatchObject({ runtime: 'other', model: 'x' });
  });

  it.each([
    [{ runtime: 'nothing' }, 'runtime_unknown'],
    [{ model: 'two words' }, 'bad_request'],
    [{ runtime: 'other', args: ['a\u0007'] }, 'bad_request'],
  ])(
    'a handoff request is refused if it names the invalid runtime, model or arguments %j for the successor',
    async (wish, code) => {
      const { sim, agent } = await scene();
      const request = { reason: undefined, note: undefined };
      expect(await requestHandoff(sim.ports, agent.id, request, wish)).toMatchObject({ code });
    },
  );

  it('when the operator resumes a failed run, the successor can get another runtime', async () => {
    const on = await scene();
    const run = await handOff(on);
    await on.sim.ports.store.write((tx) => tx.saveRun({ ...on.sim.run(run.id), step: 'recorded', handoffId: 1 }));
    await on.sim.record({ type: 'successor_cannot_start', runId: run.id, detail: 'not installed' });
    expect(on.sim.run(run.id).step).toBe('failed');
    const choice = { runId: run.id, action: 'resume', successor: { runtime: 'other' } } as const;
    expect(await chooseRunAction(on.sim.ports, choice)).toMatchObject({ runsOn: { runtime: 'other' } });
    const chosen = on.sim.notices('operator_chose').at(-1);
    expect(chosen).toMatchObject({ action: 'resume', runsOn: { runtime: 'other' } });
  });

  it('the event log does not contain the client arguments of a successor', async () => {
    const on = await scene();
    await successorOf(on, await handOff(on, { args: ['--token=abc'] }));
    const all = on.sim.ports.store.read((tx) => tx.eventsAfter(0, 1_000));
    expect(JSON.stringify(all)).not.toContain('--token=abc');
  });
});

describe('a new agent', () => {
  const start = ({ sim }: Scene, wish: object) => startAgent(sim.ports, { projectId: 1, personaSlug: null, ...wish });

  it("a new agent gets runtime and model from the project's list of runtimes unless the request names others", async () => {
    const on = await scene();
    await changeProjectRunsOn(on.sim.ports, 1, [
      { runtime: 'sim', model: 'a' },
      { runtime: 'other', model: 'b' },
    ]);
    expect(await start(on, {})).toMatchObject({ runtime: 'sim', model: 'a' });
    expect(await start(on, { runtime: 'other' })).toMatchObject({ runtime: 'other', model: 'b' });
    expect(await start(on, { runtime: 'other', model: 'c' })).toMatchObject({ runtime: 'other', model: 'c' });
  });

  it("if no runtime in the project's list can start, the request for a new agent is refused with a reason for each runtime", async () => {
    const on = await scene();
    await changeProjectRunsOn(on.sim.ports, 1, [{ runtime: 'other' }, { runtime: 'sim' }]);
    on.problem.other = 'Other is missing.';
    on.sim.unavailable = 'Sim is missing.';
    expect(await start(on, {})).toMatchObject({
      code: 'runtime_unavailable',
      sentence: 'other: Other is missing. sim: Sim is missing.',
    });
  });
});

describe('the hint about an agent type that can start', () => {
  const start = ({ sim }: Scene, wish: object) => startAgent(sim.ports, { projectId: 1, personaSlug: null, ...wish });
  const use = 'Or use another agent type: baton agent start --runtime other';

  it('if the default agent type cannot start, the hint offers another agent type for this start and as the default', async () => {
    const on = await scene();
    on.sim.unavailable = 'Sim is missing.';
    expect(await start(on, {})).toMatchObject({
      sentence: 'Sim is missing.',
      hint: `${use}; or make it the default: baton settings set default_runtime other`,
    });
  });

  it('if the agent type that the operator named cannot start, the hint offers another agent type for this start only', async () => {
    const on = await scene();
    on.sim.unavailable = 'Sim is missing.';
    expect(await start(on, { runtime: 'sim' })).toMatchObject({ sentence: 'Sim is missing.', hint: use });
  });

  it('if no agent type can start, the refusal has no hint', async () => {
    const on = await scene();
    on.sim.unavailable = 'Sim is missing.';
    on.problem.other = 'Other is missing.';
    expect(await start(on, {})).not.toHaveProperty('hint');
  });
});

describe('model and arguments', () => {
  it('a successor on the same runtime inherits arguments and model, but a model that the operator names has precedence', () => {
    const before = { runtime: 'a', model: 'm', clientArgs: ['x'] };
    expect(inheritTo({ runtime: 'a' }, before)).toEqual({ runtime: 'a', model: 'm', args: ['x'] });
    expect(inheritTo({ runtime: 'a', model: 'n' }, before)).toEqual({ runtime: 'a', model: 'n', args: ['x'] });
    expect(inheritTo({ runtime: 'b' }, before)).toEqual({ runtime: 'b' });
  });
});

describe('the capabilities of a runtime', () => {
  it('a runtime has a capability if it implements the function for the capability or declares the capability', async () => {
    const { sim } = await scene();
    const runtime = sim.ports.runtimes.get('sim') as AgentRuntime;
    expect(capabilitiesOf(runtime)).toMatchObject({ control_api: false, model: true, resume: true, questions: false });
    expect(capabilitiesOf({ ...runtime, declares: ['questions'] })).toMatchObject({ questions: true });
  });
});
