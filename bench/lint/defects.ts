/** Ways to spoil a clean package, each with the rule that must tell of it. Several wordings each, so that no single word decides. */
type Handoff = Record<string, unknown>;

export interface Defect {
  readonly rule: string;
  /** Where it must be told, as the end of a JSON pointer; '' where the place does not matter. */
  readonly at: string;
  readonly name: string;
  /** undefined: this package cannot have that defect. */
  readonly spoil: (handoff: Handoff) => Handoff | undefined;
}

const inner = (value: unknown): Handoff => (value ?? {}) as Handoff;
const within = (handoff: Handoff, key: string, change: Handoff): Handoff => ({
  ...handoff,
  [key]: { ...inner(handoff[key]), ...change },
});
const context = (change: Handoff) => (handoff: Handoff) => within(handoff, 'context', change);
const expects = (change: Handoff) => (handoff: Handoff) =>
  handoff.expectations === undefined || isReturn(handoff) ? undefined : within(handoff, 'expectations', change);
const without = (handoff: Handoff, block: string, key: string): Handoff => {
  const { [key]: _, ...rest } = inner(handoff[block]);
  return { ...handoff, [block]: rest };
};
const isReturn = ({ type }: Handoff): boolean => type === 'return';
const toHuman = ({ to }: Handoff): boolean => inner(to).agent === 'human';
const isGate = ({ gate }: Handoff): boolean => gate !== undefined;
const onlyIf =
  (fits: (handoff: Handoff) => boolean, spoil: Defect['spoil']): Defect['spoil'] =>
  (handoff) =>
    fits(handoff) ? spoil(handoff) : undefined;

const each = (
  rule: string,
  at: string,
  wordings: readonly string[],
  spoil: (wording: string) => Defect['spoil'],
): Defect[] =>
  wordings.map((wording) => ({ rule, at, name: `${rule}: ${wording.slice(0, 50)}`, spoil: spoil(wording) }));

const IMPLICIT = [
  "It's done",
  'Done.',
  'All finished, please continue.',
  'Task complete, ready for the next step',
  'Everything works now',
  'I made the changes and fixed the issues',
  'Work is done, see files',
  'Updated stuff as requested',
  'Wrapped it all up',
  'Good progress today, most things are in place',
  'Finished the refactoring of the module',
  'Should be good to go now',
  'Adjusted a few small details here and there',
];
const ELSEWHERE = [
  'As discussed, the flow now follows our agreement',
  'Same as before, only for the other customer',
  'Continue where I left off',
  'See above for what was changed in the flow',
  'You know what the client wants from the login page',
  'Implemented what we talked about in the meeting with the client',
  'The remedy we agreed on is in',
];
const VAGUE = [
  'Write good code',
  'The code is clean and readable',
  'The page loads fast',
  'Works as expected',
  'Follows best practices',
  'The solution is robust and scalable',
  'The user experience is intuitive',
  'Errors are handled properly',
  'Sufficient test coverage',
  'Documentation is comprehensive and clear',
  'The team is happy with it',
  'It feels right to the client',
  'Performance is better than today',
  'High-quality deliverable',
  'The migration goes smoothly',
  'Users can log in without problems',
  'All edge cases are handled',
  'No major issues remain',
  'API responses are quick enough',
  'The text reads naturally',
];
const PLACEHOLDERS = [
  '[what is expected]',
  'TODO',
  '<deliverable>',
  'TBD',
  '{{deliverable}}',
  '...',
  'TODO: ask Ann',
  'To be defined',
  'lorem ipsum dolor',
];
const BAD_PATHS = [
  '/etc/nginx/nginx.conf',
  '../other-project/notes.md',
  'C:\\work\\plan.md',
  '~/plan.md',
  'docs/../../secret.txt',
  'docs\\plan.md',
];
/** Put together from pieces, so that no scanner of this repository takes them for real ones. */
const SECRETS = [
  `Deploy with the key AKIA${'Q3XN7RT2VB5KM9WD'}`,
  `Token: ghp_${'x9Kf3LmQ2vR8tY5wB7nC1dE4gH6jP0sA2uZ3'}`,
  `-----BEGIN ${'RSA PRIVATE KEY'}-----`,
  `The database is at postgres://app:${'s3cr3tpw99'}@db.internal/orders`,
  `Set API_KEY=${'9f8a7b6c5d4e3f2a1b0c'} first`,
  `Log in with password: ${'Tr0ub4dor&3x'}`,
  `Slack bot xoxb-${'2039482039-abcdefghij'}`,
  `The glpat-${'Zx8Yw7Vu6Ts5Rq4Po3Nm'} token is for the runner`,
  'The admin pass is hunter2!Fox',
];

export const DEFECTS: readonly Defect[] = [
  ...each('HP101', '/context/summary', IMPLICIT, (summary) => context({ summary })),
  ...each('HP105', '/context/summary', ELSEWHERE, (summary) => context({ summary })),
  ...each('HP401', '/expectations/success_criteria/0', VAGUE, (text) => expects({ success_criteria: [text] })),
  ...each('HP005', '/expectations/deliverable', PLACEHOLDERS, (text) => expects({ deliverable: text })),
  ...each('HP005', '/to/agent', ['[agent-id]', '<agent>'], (agent) => (handoff) => ({
    ...handoff,
    to: { ...inner(handoff.to), agent },
  })),
  ...each('HP202', '/context/artifacts/0/path', BAD_PATHS, (path) => context({ artifacts: [{ path }] })),
  ...each('HP701', '/context/assumptions/0', SECRETS, (text) => context({ assumptions: [text] })),
  ...each('HP003', '/priority_level', ['priority_level'], () => (handoff) => ({ ...handoff, priority_level: 'high' })),
  ...each('HP003', '/context/notes', ['notes'], () => context({ notes: 'free text' })),
  ...each('HP002', '/context/artifacts/0/type', ['document', 'source'], (type) =>
    context({ artifacts: [{ path: 'docs/a.md', type }] }),
  ),
  ...each('HP002', '/context/open_questions/0/priority', ['urgent', 'P1'], (priority) =>
    context({ open_questions: [{ question: 'Which port?', priority, owner: 'Ann' }] }),
  ),
  ...each('HP002', '/timestamp', ['15.01.2026', '2026-01-15 14:30'], (timestamp) => (handoff) => ({
    ...handoff,
    timestamp,
  })),
  ...each('HP002', '/id', ['HANDOFF-1', 'HO-26-1'], (id) => (handoff) => ({ ...handoff, id })),
  ...each('HP002', '/context/decisions', ['a sentence'], (text) => context({ decisions: text })),
  ...each('HP004', '/timestamp', ['2031-01-01T00:00:00Z'], (timestamp) => (handoff) => ({ ...handoff, timestamp })),
  ...each('HP006', '/to/reason', ['no reason'], () => (handoff) => without(handoff, 'to', 'reason')),
  ...each('HP006', '/context/summary', ['no summary'], () => (handoff) => without(handoff, 'context', 'summary')),
  ...each('HP006', '/context/open_questions', ['asks nothing'], () =>
    onlyIf(
      (handoff) => toHuman(handoff) && !isGate(handoff),
      (handoff) => without(handoff, 'context', 'open_questions'),
    ),
  ),
  ...each('HP006', '/expectations/deliverable', ['expects nothing'], () =>
    onlyIf(
      (handoff) => toHuman(handoff) && !isGate(handoff),
      ({ expectations: _, ...rest }) => rest,
    ),
  ),
  ...each('HP006', '/reason_code', ['no reason code'], () =>
    onlyIf(
      ({ reason_code: code }) => code !== undefined,
      ({ reason_code: _, ...rest }) => rest,
    ),
  ),
  ...each('HP006', '/expectations/success_criteria', ['no criteria'], () =>
    onlyIf(
      ({ type }) => type === 'delegation',
      (handoff) => without(handoff, 'expectations', 'success_criteria'),
    ),
  ),
  ...each('HP008', '/expectations/deliverable', ['a return that expects'], () =>
    onlyIf(isReturn, (handoff) => ({ ...handoff, expectations: { deliverable: 'Merge it' } })),
  ),
  ...each('HP008', '/reason_code', ['a reason code elsewhere'], () =>
    onlyIf(
      ({ type }) => type === 'sequential' || type === 'delegation',
      (handoff) => ({ ...handoff, reason_code: 'shift_end' }),
    ),
  ),
  ...each(
    'HP303',
    '/context/open_questions/0',
    ['Which payment provider do we use?', 'Who owns the keys?'],
    (question) => onlyIf((handoff) => !toHuman(handoff), context({ open_questions: [{ question, priority: 'high' }] })),
  ),
  ...each('HP304', '/context/decisions/0', ['Cache or no cache', 'Which region'], (decision) =>
    onlyIf((handoff) => !toHuman(handoff), context({ decisions: [{ id: 'pending', decision, rationale: 'open' }] })),
  ),
  ...each('HP305', '/context/decisions/0', ['Use SQLite', 'Drop IE11'], (decision) =>
    context({ decisions: [{ id: 'D-001', decision }] }),
  ),
  ...each('HP404', '/expectations/success_criteria/0/verify', ['command', 'file_exists'], (kind) =>
    expects({ success_criteria: [{ id: 'C-001', text: 'It builds', verify: { kind } }] }),
  ),
  ...each('HP501', '/type', ['delegation', 'sequential'], (type) =>
    onlyIf(toHuman, (handoff) => ({ ...handoff, type })),
  ),
  ...each('HP501', '/type', ['escalation', 'continuation'], (type) =>
    onlyIf(
      (handoff) => !toHuman(handoff) && handoff.reason_code === undefined && !isReturn(handoff),
      (handoff) => ({ ...handoff, type }),
    ),
  ),
  ...each('HP505', '', ['a step in both lists', 'a step that is done'], (what) => (handoff) => ({
    ...handoff,
    workflow_state: {
      name: 'flow',
      current_step: what.includes('done') ? 'build' : 'test',
      completed_steps: ['plan', 'build'],
      remaining_steps: what.includes('both') ? ['build', 'test'] : ['test'],
    },
  })),
  ...each('HP505', '', ['a number far ahead'], () => (handoff) => ({
    ...handoff,
    workflow_state: { name: 'flow', current_step: 7, completed_steps: ['plan'], remaining_steps: ['build', 'test'] },
  })),
  ...each('HP601', '', ['no items', 'no way to reject'], (what) =>
    onlyIf(isGate, (handoff) =>
      within(handoff, 'validation_request', what === 'no items' ? { items: [] } : { options: { approve: 'Go' } }),
    ),
  ),
  ...each('HP801', '', ['far too much'], () =>
    context({ dead_ends: Array.from({ length: 60 }, (_, n) => `Attempt ${n}: `.padEnd(400, 'lorem ')) }),
  ),
];

/** Spoils the text of the file instead: what YAML itself must refuse. */
export const TEXT_DEFECTS: readonly { readonly name: string; readonly spoil: (yaml: string) => string }[] = [
  { name: 'an anchor', spoil: (yaml) => yaml.replace('handoff:', 'handoff: &all') },
  { name: 'an alias', spoil: (yaml) => `${yaml}  extensions: { org.example: { a: &x 1, b: *x } }\n` },
  { name: 'a tag', spoil: (yaml) => yaml.replace(/^ {2}from:/m, '  from: !!map') },
  { name: 'a doubled key', spoil: (yaml) => `${yaml}  context: { summary: "3 epics in docs/a.md" }\n` },
  { name: 'a merge key', spoil: (yaml) => `${yaml}  <<: { id: HO-2026-001 }\n` },
  { name: 'a second document', spoil: (yaml) => `${yaml}---\nhandoff: {}\n` },
  { name: 'a tab', spoil: (yaml) => yaml.replace(/^ {2}context:/m, '\tcontext:') },
  { name: 'a cut-off file', spoil: (yaml) => `${yaml}  expectations: { deliverable: "Repo` },
];
