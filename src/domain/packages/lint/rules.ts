/** An error prevents sealing; `warning` and `info` do not. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * The data that a rule needs in addition to the package. If this data is missing, the lint does not apply the rule and
 * reports it as skipped.
 */
export type Needs = 'package' | 'chain' | 'agents' | 'disk' | 'receiver';

interface Rule {
  /** The severities that a finding of this rule can have; the first is the default. */
  readonly weights: readonly [Severity, ...Severity[]];
  readonly needs: Needs;
  /** The rule as a sentence, which is true for every package that follows the rule. */
  readonly what: string;
  /** How the author can fix a violation. */
  readonly fix: string;
}

const rule =
  (...weights: [Severity, ...Severity[]]) =>
  (what: string, fix: string, needs: Needs = 'package'): Rule => ({ weights, needs, what, fix });
const error = rule('error');
const warning = rule('warning');

const ANEW = 'Ask the sender for a new package.';

/**
 * All lint rules. A finding is an error only if it makes the package unusable, for example because something is
 * missing, unreadable or dangerous. A finding about wording is a warning. The number of a rule is never used for
 * another rule.
 */
export const RULES = {
  HP001: error(
    'the file is strict YAML: no anchors, tags, merge or duplicate keys, and within the size limits',
    'Write plain YAML without references, with every key only once.',
  ),
  HP002: error(
    'every field matches the schema, and no key is unknown',
    'See the schema: baton lint --schema. Put other keys into extensions, under a reverse domain name.',
  ),
  HP004: rule('error', 'warning')(
    'a deadline is in the future; a timestamp is not',
    'Use another time, or leave the time out.',
  ),
  HP005: rule('error', 'warning')(
    'no placeholder is left; a placeholder inside a sentence is a warning',
    'Replace the placeholder, or leave the field out.',
  ),
  HP006: rule('error', 'warning')('the fields that the type requires are present', 'Add the field.'),
  HP008: error(
    'the type, the parties and the fields match each other',
    'Leave `type` out, correct the sender or the receiver, or leave out the forbidden field.',
  ),
  HP101: warning(
    'the summary says what was done',
    'Say what was done, with numbers, paths or names: "3 epics, 12 user stories, personas defined".',
  ),
  HP104: rule('info', 'warning')(
    'the package is short: a summary of three sentences, 1,500 tokens (4,000: a warning), no transcript or diff',
    'Refer to files instead of copying their content.',
  ),
  HP105: warning(
    'no text refers to a conversation that the receiver cannot see',
    'Write the information here, or name the file that contains it.',
  ),
  HP201: rule('error', 'info')(
    'every artifact exists, can be read and is within its limits; an empty file is a hint',
    'Correct the path, list the important files one by one, or mark the artifact with role: deleted.',
    'disk',
  ),
  HP202: error(
    'every path is relative, has no "..", and stays inside the project, outside .git',
    'Write the path of a file or folder relative to the project, without "..", such as docs/plan.md',
  ),
  HP203: rule('warning', 'info')(
    'every file that the summary names is listed as an artifact, and so is every changed file',
    'Add each file to artifacts with its exact path.',
  ),
  HP302: warning(
    'a question in the summary is also an open question',
    'Add the question to `open_questions`, with a priority.',
  ),
  HP304: warning(
    'a decision has a rationale; a pending decision goes to a person',
    'Add a rationale, or send the package to `human`.',
  ),
  HP401: warning(
    'deliverable, reason, criteria, constraints, questions and points to validate are concrete',
    'Name a number, a file, a command or a state: "Unit tests > 80% coverage", "Build passes in CI".',
  ),
  HP406: rule('error', 'warning')(
    'no two entries have the same id, name the same artifact, or differ only in a number',
    'Keep only the valid entry, or give one of the entries another id. Entries without an id are numbered: K-001 is the first constraint, C-001 the first criterion.',
  ),
  HP502: error(
    'a return answers an open delegation, and goes to its caller',
    'Send the return package to the agent that delegated the task.',
    'chain',
  ),
  HP503: error('a chain has at most 20 hops', 'Escalate to human.', 'chain'),
  HP505: rule('error', 'warning')(
    'the state of the workflow does not contradict itself',
    'Put every step into either completed_steps or remaining_steps.',
  ),
  HP506: error('the receiver has the required capabilities', 'Choose another receiver.', 'agents'),
  HP507: error('the receiver is known', 'Name an existing agent, or "human".', 'agents'),
  HP701: rule('error', 'warning')(
    'no text looks like a secret: a key of a known format is an error, a possible key is a warning',
    'Replace the secret with a mark such as <redacted: token>, and say where the receiver finds it. If the secret is real, revoke it.',
  ),
  HP703: warning('no quoted text tells the receiver to disregard its instructions', 'Quote less of that text.'),
  HP901: error('on receipt: the package has a summary', ANEW, 'receiver'),
  HP902: error(
    'on receipt: every artifact is unchanged since the package was sealed',
    'Ask for clarification.',
    'receiver',
  ),
  HP903: error('on receipt: the deliverable is clear', 'Ask for clarification.', 'receiver'),
  HP904: error(
    "on receipt: the constraints are compatible with the receiver's capabilities",
    'Decline, or ask.',
    'receiver',
  ),
  HP905: warning(
    'on receipt: the package is not stale',
    'Check what has changed since the package was sealed.',
    'receiver',
  ),
  HP906: error('on receipt: the chain of hashes is intact', ANEW, 'receiver'),
  HP907: warning(
    'on receipt: the receiver has the artifacts in its own folder',
    'Read the artifact in the folder that the finding names, or ask the sender to commit and merge the artifact.',
    'receiver',
  ),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

export const RULE_IDS = Object.keys(RULES) as RuleId[];

/**
 * Rules that cannot be waived, because an unreadable package cannot be checked, and a secret that was stored stays
 * exposed.
 */
export const NEVER_WAIVED: ReadonlySet<RuleId> = new Set<RuleId>(['HP001', 'HP002', 'HP701']);
