/** An error keeps a package from being sealed; a warning or a hint never does. */
export type Severity = 'error' | 'warning' | 'info';

/** What a rule looks at besides the package itself. Rules that need more than is at hand are skipped, and that is said. */
export type Needs = 'package' | 'chain' | 'agents' | 'disk' | 'receiver';

interface Rule {
  readonly severity: Severity;
  readonly needs: Needs;
  /** What holds if nothing is found. */
  readonly what: string;
  /** What the author can do if it does not. */
  readonly fix: string;
}

const rule =
  (severity: Severity) =>
  (what: string, fix: string, needs: Needs = 'package'): Rule => ({ severity, needs, what, fix });
const error = rule('error');
const warning = rule('warning');
const info = rule('info');

const EXPLICIT = 'Say what was done, with numbers, paths or names: "3 epics, 12 user stories, personas defined".';
const BY_HOST = 'Ask for the package anew.';

/** Every rule. Numbers are never given to another rule: people and waivers cite them. */
export const RULES = {
  HP001: error(
    'the file is strict YAML: no anchors, tags, merge or duplicate keys, within its bounds',
    'Write plain YAML: every value where it belongs, every key once.',
  ),
  HP002: error('every field has the form that the schema gives it', 'See the form with: baton lint --schema'),
  HP003: error(
    'there is no key that the schema does not know',
    'Remove it, or move it to extensions under a reverse domain name.',
  ),
  HP004: error('the timestamp is not in the future', 'Leave it out: the host writes it.'),
  HP005: error('no placeholder is left', 'Write what is meant, or leave the field out.'),
  HP006: error('the fields that the type requires are there', 'Add it.'),
  HP007: warning('the fields that the type wants are there', 'Add it, or write an empty list to say "none".'),
  HP008: error('the fields that the type forbids are not there', 'Leave it out, or name another type.'),
  HP009: error('a deadline is still to come', 'Name a later moment, or leave it out.'),
  HP101: error('the summary says what was done', EXPLICIT),
  HP102: warning('the summary says more than a few words', EXPLICIT),
  HP103: info('the summary has a number, a path or a name in it', EXPLICIT),
  HP104: warning(
    'the summary is short: three sentences, 600 characters',
    'Move the details to decisions, artifacts and open questions.',
  ),
  HP105: error(
    'nothing refers to a conversation that the receiver cannot see',
    'Say it here, or name the file that says it.',
  ),
  HP106: warning(
    'a result that is claimed has something to show for it',
    'Name the report or test file as an artifact.',
  ),
  HP201: error('every artifact exists', 'Mend the path, or mark it role: deleted.', 'disk'),
  HP202: error('every path is relative and stays inside the project', 'Write it from the project: docs/plan.md'),
  HP203: warning('every changed file is among the artifacts', 'Add it with its exact path.', 'disk'),
  HP204: warning('what is called created or modified was changed', 'Make it role: referenced.', 'disk'),
  HP205: error(
    'no artifact was changed since the package was sealed',
    'Ask the sender for a new revision.',
    'receiver',
  ),
  HP206: warning('no artifact is an empty file', 'Leave it out, or write it.', 'disk'),
  HP207: warning('every path in the prose is among the artifacts', 'Add it with its exact path.'),
  HP208: warning('no flag of the git index hides changes', 'Clear the flag with git update-index.', 'disk'),
  HP209: info('every artifact says what it is', 'Add type and description.'),
  HP210: error(
    'every artifact is a file or folder that can be read, within its bounds',
    'Name the files that matter, one by one.',
    'disk',
  ),
  HP301: warning('`open_questions` is there, if only as an empty list', 'Write open_questions: [] if there is none.'),
  HP302: warning('a doubt in the prose is also an open question', 'Put it under open_questions with a priority.'),
  HP303: error('an urgent question to an agent has an owner, or does not block', 'Add owner, or blocking: false.'),
  HP304: error('a decision that is pending goes to a person', 'Take it, or send the package to human.'),
  HP305: error('a decision that was taken says why', 'Add rationale.'),
  HP401: error(
    'no criterion is a matter of taste',
    'Name a number, a command or a state: "Unit tests > 80% coverage", "Build passes in CI"; or add verify.',
  ),
  HP402: warning('every criterion can evidently be checked', 'Name what is looked at, or add verify.'),
  HP403: info('every criterion says how it is verified', 'Add verify, so that it can be run.'),
  HP404: error('what verifies a criterion can be run', 'Add the command or path, or make it kind: manual.'),
  HP405: warning('no constraint is a matter of taste', 'Give it a number, a name or a file to keep to.'),
  HP406: warning('no two constraints say the same thing with different numbers', 'Keep the one that holds.'),
  HP407: error(
    'every constraint and criterion has an id of its own',
    'Give it another id. What has none is counted: K-001 is the first constraint, C-001 the first criterion.',
  ),
  HP501: error('the type that is named is the type that it is', 'Leave type out, or mend the parties.'),
  HP502: error(
    'a return answers an open delegation, and goes to its caller',
    'Return to whoever delegated the task.',
    'chain',
  ),
  HP503: error('depth, hops, circles and to-and-fro stay within their limits', 'Escalate to human.', 'chain'),
  HP504: error(
    'constraints and decisions of the chain are restated or superseded',
    'Restate it with its id, or name it in supersedes.',
    'chain',
  ),
  HP505: error('the state of the workflow does not contradict itself', 'Put every step into one of the two lists.'),
  HP506: error('the receiver has the capabilities that are required', 'Choose another receiver.', 'agents'),
  HP507: error('the receiver is known', 'Name an agent that exists, or human.', 'agents'),
  HP601: error(
    'a gate has points to validate, and can be approved and rejected',
    'Add items, and options with approve and reject.',
  ),
  HP602: warning('a blocking gate has a deadline or someone to ask next', 'Add deadline or contact to gate.'),
  HP701: error(
    'nothing looks like a secret',
    'Put a mark in its place, such as <redacted: token>, and say where the receiver finds it. If it is real, replace it.',
  ),
  HP702: warning('no long random text that may be a secret', 'Leave it out, or say what it is.'),
  HP703: warning('nothing quoted tells the receiver to disregard its instructions', 'Quote less of it.'),
  HP801: warning(
    'the package fits the budget of 1,500 tokens; 4,000 are an error',
    'Name files instead of repeating what they say.',
  ),
  HP802: warning('no transcript or diff is pasted in', 'Name the file or commit that has it.'),
  HP901: error('on receipt: there is a summary', BY_HOST, 'receiver'),
  HP902: error('on receipt: every artifact is as it was sealed', 'Ask for clarification.', 'receiver'),
  HP903: error('on receipt: the deliverable is clear', 'Ask for clarification.', 'receiver'),
  HP904: error('on receipt: the constraints fit what the receiver can do', 'Decline, or ask.', 'receiver'),
  HP905: warning('on receipt: the package is not stale', 'Look at what has changed since.', 'receiver'),
  HP906: error('on receipt: the chain of hashes is whole', BY_HOST, 'receiver'),
  HP907: warning(
    'on receipt: the receiver has the artifacts in its own folder',
    'Read it where it lies, or ask for it to be committed and merged.',
    'receiver',
  ),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

export const RULE_IDS = Object.keys(RULES) as RuleId[];

/** No person can answer for these: what cannot be read cannot be judged, and a secret on disk cannot be taken back. */
export const NEVER_WAIVED: ReadonlySet<RuleId> = new Set<RuleId>(['HP001', 'HP002', 'HP003', 'HP701']);
