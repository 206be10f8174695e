import { type Cast, DESIGN, SPEC } from './cast.ts';

/**
 * One action of an agent or the operator. The next action begins only after all effects of this action have happened.
 */
export interface Act {
  readonly name: string;
  /**
   * The kind of this action. The kind decides which crash points the server passes during the action (PASSED in
   * points.ts).
   */
  readonly passes: 'call' | 'told' | 'started' | 'died';
  readonly play: (cast: Cast) => Promise<void>;
}

/** The state of one package at the end, as the script expects it. */
export interface Expected {
  readonly what: string;
  readonly type: string;
  readonly state: 'completed' | 'rejected' | 'failed';
  readonly revision: number;
  /** The log must contain exactly these events about the package, apart from events that Baton adds on its own. */
  readonly facts: string;
}

const artifact = (path: string) => ({
  path,
  type: 'spec',
  description: 'What this step was to make',
  role: 'referenced',
});

const context = (summary: string, path: string) => ({
  summary,
  artifacts: [artifact(path)],
  decisions: [],
  open_questions: [],
});

/** The package with which one agent hands the finished specification to the agent of the next step. */
const specified = (stories: number) => ({
  to: { reason: 'The specification is ready for design' },
  context: context(`Specification completed in ${SPEC}: 3 epics, ${stories} user stories`, SPEC),
});

const designed = {
  to: { reason: 'The design is ready to be checked' },
  context: context(`Design completed in ${DESIGN}: 4 components`, DESIGN),
};

const delegated = (to: string, deliverable: string) => ({
  type: 'delegation',
  to: { agent: to, reason: 'Need a validation before the design is final' },
  context: context(`Design in ${DESIGN}: 4 components, of which 1 keeps passwords`, DESIGN),
  expectations: {
    deliverable,
    constraints: ['Focus on authentication and sensitive data'],
    success_criteria: [`${DESIGN} has no unaddressed critical risk`],
  },
});

const GATE_REJECTED = 0;
const GATE_APPROVED = 1;
const TO_DESIGN = 2;
const TO_CHECK = 3;
const DELEGATED = 4;
const RETURNED = 5;
const LEFT_ALONE = 6;
const WITHOUT_SENDER = 7;
const DECLINED = 8;

/** The expected packages, in the order in which the script creates them. */
export const EXPECTED: readonly Expected[] = [
  { what: 'the gate that is rejected', type: 'gate', state: 'rejected', revision: 1, facts: 'created sealed decided' },
  {
    what: 'the gate behind the rework',
    type: 'gate',
    state: 'completed',
    revision: 2,
    facts: 'created sealed decided answered decided',
  },
  {
    what: 'the step that is clarified',
    type: 'sequential',
    state: 'completed',
    revision: 2,
    facts: 'created sealed read acknowledged answered read acknowledged completed',
  },
  {
    what: 'the step whose receiver dies, and which another takes',
    type: 'sequential',
    state: 'completed',
    revision: 1,
    facts: 'created sealed receiver_started read acknowledged session_ended read acknowledged completed',
  },
  {
    what: 'the delegation that is returned',
    type: 'delegation',
    state: 'completed',
    revision: 1,
    facts: 'created sealed read acknowledged completed',
  },
  {
    what: 'the return',
    type: 'return',
    state: 'completed',
    revision: 1,
    facts: 'created sealed read acknowledged completed',
  },
  {
    what: 'the delegation whose receiver dies, and which nobody takes',
    type: 'delegation',
    state: 'failed',
    revision: 1,
    facts: 'created sealed read acknowledged session_ended',
  },
  {
    what: 'the delegation whose sender dies, and which the operator explains',
    type: 'delegation',
    state: 'failed',
    revision: 2,
    facts: 'created sealed read session_ended acknowledged answered read acknowledged failed',
  },
  {
    what: 'the package that is declined',
    type: 'delegation',
    state: 'rejected',
    revision: 1,
    facts: 'created sealed read declined',
  },
];

async function the(cast: Cast, index: number): Promise<string> {
  const id = (await cast.packages())[index]?.id;
  if (id === undefined) throw new Error(`there is no package number ${index + 1}`);
  return id;
}

/**
 * The actions of a workflow with three agents (specification 004), including everything that can go wrong in such a
 * workflow.
 */
export const ACTS: readonly Act[] = [
  {
    name: 'gate_asked',
    passes: 'call',
    play: async (cast) => {
      if ((await cast.create('specification', specified(11))) !== undefined)
        throw new Error('the package was sealed without a gate');
      await cast.openGate();
    },
  },
  {
    name: 'gate_rejected',
    passes: 'told',
    play: async (cast) => {
      const gate = await the(cast, GATE_REJECTED);
      await cast.decide(gate, 'reject', 'The story about the login is missing');
      await cast.isTold('specification', gate);
    },
  },
  {
    // A rejected package cannot be sent again unchanged [package P29].
    name: 'reworked',
    passes: 'call',
    play: async (cast) => {
      await cast.create('specification', specified(11));
      const open = (await cast.packages()).filter(({ over }) => !over);
      if (open.length > 0) throw new Error('the rejected gate was opened again, although the package had not changed');
      cast.write(SPEC, '# Specification\n3 epics, 12 user stories\n');
      await cast.create('specification', specified(12));
      await cast.openGate();
    },
  },
  {
    name: 'gate_questioned',
    passes: 'told',
    play: async (cast) => {
      const gate = await the(cast, GATE_APPROVED);
      await cast.decide(gate, 'question', 'Is the login in it now?');
      await cast.isTold('specification', gate);
    },
  },
  {
    name: 'gate_answered',
    passes: 'call',
    play: async (cast) => cast.answer('specification', await the(cast, GATE_APPROVED)),
  },
  {
    name: 'gate_approved',
    passes: 'told',
    play: async (cast) => {
      const gate = await the(cast, GATE_APPROVED);
      await cast.decide(gate, 'approve', '');
      await cast.isTold('specification', gate);
    },
  },
  {
    name: 'passed_on',
    passes: 'told',
    play: async (cast) => {
      await cast.create('specification', specified(12));
      await cast.isTold('architecture', await the(cast, TO_DESIGN));
    },
  },
  {
    name: 'clarified',
    passes: 'told',
    play: async (cast) => {
      const id = await the(cast, TO_DESIGN);
      await cast.receive('architecture', id);
      await cast.act('architecture', id, 'ask', { questions: ['Which of the stories come first?'] }, 'clarifying');
      await cast.isTold('specification', id);
    },
  },
  {
    name: 'answered',
    passes: 'told',
    play: async (cast) => {
      const id = await the(cast, TO_DESIGN);
      await cast.answer('specification', id);
      await cast.isTold('architecture', id);
    },
  },
  {
    name: 'accepted',
    passes: 'call',
    play: async (cast) => cast.accept('architecture', await the(cast, TO_DESIGN)),
  },
  {
    name: 'started',
    passes: 'started',
    play: async (cast) => {
      await cast.create('architecture', designed);
      const [first] = await cast.until('Baton to start an agent for the last step', async () => {
        const wearing = await cast.wearing('security-check');
        return wearing.length > 0 && wearing;
      });
      await cast.plays('security-check', first?.id ?? 0);
      await cast.isTold('security-check', await the(cast, TO_CHECK));
    },
  },
  {
    name: 'taken',
    passes: 'call',
    play: async (cast) => cast.accept('security-check', await the(cast, TO_CHECK)),
  },
  {
    name: 'step_completed',
    passes: 'call',
    play: async (cast) => cast.act('architecture', await the(cast, TO_DESIGN), 'complete', {}, 'completed'),
  },
  {
    // The receiver dies, and another agent with the same persona continues the package [package P15].
    name: 'receiver_replaced',
    passes: 'died',
    play: async (cast) => {
      const id = await the(cast, TO_CHECK);
      const first = cast.agent('security-check');
      if ((await cast.wearing('security-check')).length < 2) await cast.start('security-check');
      await cast.dies(first);
      await cast.isTold('security-check', id);
    },
  },
  {
    name: 'taken_over',
    passes: 'call',
    play: async (cast) => {
      const id = await the(cast, TO_CHECK);
      await cast.accept('security-check', id);
      await cast.act('security-check', id, 'complete', {}, 'completed');
    },
  },
  {
    name: 'delegated',
    passes: 'told',
    play: async (cast) => {
      await cast.create(
        'architecture',
        delegated(cast.slug('security-check'), 'A report on the risks of 4 components'),
      );
      await cast.isTold('security-check', await the(cast, DELEGATED));
    },
  },
  {
    name: 'returned',
    passes: 'told',
    play: async (cast) => {
      const id = await the(cast, DELEGATED);
      await cast.accept('security-check', id);
      const { criteria } = await cast.look(id);
      const back = {
        context: context(`2 risks identified in ${DESIGN}, 2 recommendations provided`, DESIGN),
        criteria_results: criteria.map((each) => ({ id: each.id, result: 'pass', evidence: DESIGN })),
      };
      await cast.act('security-check', id, 'return', { package: back, key: 'scene-return' }, 'completed');
      await cast.isTold('architecture', await the(cast, RETURNED));
    },
  },
  {
    // Reading a return package completes it [package P17].
    name: 'return_read',
    passes: 'call',
    play: async (cast) => cast.receive('architecture', await the(cast, RETURNED)),
  },
  {
    // The receiver dies, and no other agent continues the package. So the package fails, and Baton notifies the sender
    // [package P15, P35].
    name: 'receiver_gone',
    passes: 'died',
    play: async (cast) => {
      await cast.create('architecture', delegated(cast.slug('security-check'), 'A report on the risks of 1 component'));
      const id = await the(cast, LEFT_ALONE);
      await cast.isTold('security-check', id);
      await cast.accept('security-check', id);
      await cast.dies(cast.agent('security-check'));
      await cast.isTold('architecture', id);
    },
  },
  {
    name: 'asked_for_help',
    passes: 'told',
    play: async (cast) => {
      await cast.create('architecture', delegated(cast.slug('specification'), 'A list of the 12 stories by risk'));
      const id = await the(cast, WITHOUT_SENDER);
      await cast.isTold('specification', id);
      await cast.receive('specification', id);
    },
  },
  {
    // After the sender's agent has ended, Baton itself owns the package [package P15].
    name: 'sender_gone',
    passes: 'died',
    play: async (cast) => {
      const id = await the(cast, WITHOUT_SENDER);
      await cast.dies(cast.agent('architecture'));
      await cast.until(`${id} to be without its sender`, async () => (await cast.look(id)).owner === 'orchestrator');
    },
  },
  {
    // A person answers in place of a sender whose agent has ended [package P18].
    name: 'person_asked',
    passes: 'call',
    play: async (cast) => {
      const id = await the(cast, WITHOUT_SENDER);
      await cast.act('specification', id, 'ask', { questions: ['By which risk?'] }, 'clarifying');
      const { waiter } = await cast.look(id);
      if (waiter !== 'human') throw new Error(`${id} waits for ${waiter}, although its sender is gone`);
    },
  },
  {
    name: 'person_answered',
    passes: 'told',
    play: async (cast) => {
      const id = await the(cast, WITHOUT_SENDER);
      await cast.answer('operator', id);
      await cast.isTold('specification', id);
    },
  },
  {
    name: 'given_up',
    passes: 'call',
    play: async (cast) => {
      const id = await the(cast, WITHOUT_SENDER);
      await cast.accept('specification', id);
      await cast.act('specification', id, 'fail', { cause: 'Nobody is there for the result' }, 'failed');
    },
  },
  {
    name: 'declined',
    passes: 'told',
    play: async (cast) => {
      await cast.start('architecture');
      await cast.create('specification', delegated(cast.slug('architecture'), 'A drawing of the 4 components'));
      const id = await the(cast, DECLINED);
      await cast.isTold('architecture', id);
      await cast.receive('architecture', id);
      await cast.act('architecture', id, 'decline', { code: 'overload', reason: 'Two others wait' }, 'rejected');
      await cast.isTold('specification', id);
    },
  },
];
