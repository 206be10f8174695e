import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from './start-problem.ts';

const HANDOFFS = [
  'write',
  'ignore',
  'ignore_once',
  'empty',
  'wrong_path',
  'no_marker',
  'symlink',
  'huge',
  'dialog',
  'crash',
  'slow',
  'compact',
] as const;
const INJECTIONS = ['acknowledge', 'ignore', 'wrong_proof'] as const;
/**
 * How the agent reacts to a request to exit. `asks`: like the real client, it asks what to do with its background work.
 */
const EXITS = ['obey', 'ignore', 'shell', 'asks'] as const;

/**
 * How an agent handles packages. An agent without a script ignores packages, so that a test can act in the agent's
 * name.
 */
export interface PackageScript {
  /** The file that the agent writes as its result. */
  readonly writes: string;
  /** The agent that must review the result before the work is complete. */
  readonly delegateTo?: string;
  /** The gate that a person must approve before the work is complete. */
  readonly gate?: string;
  /** If set, the agent hands the work to the agent of the workflow's next step, with this reason. */
  readonly passOn?: string;
}

/** The configured behavior of the practice agent. Tests use it to imitate the faults of a real client. */
export interface Behaviour {
  readonly startDelayMs: number;
  readonly startDialog: string;
  readonly startExit: number | null;
  readonly burstMs: number;
  readonly swallowEnters: number;
  readonly acceptDelayMs: number;
  /** Delays every key and paste, like a client that is busy or reached over a slow connection. */
  readonly echoDelayMs: number;
  /** The text of a permission dialog that opens on SIGUSR2, so that a test can choose the moment. */
  readonly signalDialog: string;
  /**
   * How long a question stays open before the Notification hook fires. Until then the client assumes that the operator
   * sees the question.
   */
  readonly notifyAfterMs: number;
  readonly suggestion: string;
  readonly contextWindow: number;
  readonly thinkMs: number;
  readonly handoff: (typeof HANDOFFS)[number];
  readonly injection: (typeof INJECTIONS)[number];
  readonly exit: (typeof EXITS)[number];
  readonly dropHooks: readonly string[];
  /**
   * Prompts that contain this text are blocked. The block takes effect only after the other hooks of the prompt have
   * fired, as with a user's policy hook.
   */
  readonly blockPrompts: string;
  /** If true, prompts reach the model but are not written to the transcript. */
  readonly noTranscript: boolean;
  /** If true, the agent writes no status file, like older clients. */
  readonly noStatus: boolean;
  /** The text that replaces the usual busy line, to imitate a client version that Baton was not tested with. */
  readonly oddWork: string;
  /** How long the client reports itself as idle between the end of a turn and the next queued prompt. */
  readonly queueGapMs: number;
  /**
   * If true, the session begins only with the first prompt, as it does in Codex. If false, it begins when the client
   * starts.
   */
  readonly sessionAtFirstPrompt: boolean;
  /** If true, an interrupted turn is reported with an Interrupt hook, as in Codex. */
  readonly interruptHook: boolean;
  /**
   * The delay in milliseconds after which each turn fires a second Stop hook, as opencode does; 0 for a single Stop.
   */
  readonly secondStopMs: number;
  /** How each agent handles packages. The keys are the names of the agents. */
  readonly packages: Readonly<Record<string, PackageScript>>;
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  startDelayMs: 0,
  startDialog: '',
  startExit: null,
  burstMs: 0,
  swallowEnters: 0,
  acceptDelayMs: 0,
  echoDelayMs: 0,
  signalDialog: '',
  notifyAfterMs: 6000,
  suggestion: '',
  contextWindow: 20_000,
  thinkMs: 120,
  handoff: 'write',
  injection: 'acknowledge',
  exit: 'obey',
  dropHooks: [],
  blockPrompts: '',
  noTranscript: false,
  noStatus: false,
  oddWork: '',
  queueGapMs: 0,
  sessionAtFirstPrompt: false,
  interruptHook: false,
  secondStopMs: 0,
  packages: {},
};

interface Rule {
  readonly accepts: (value: unknown) => boolean;
  readonly wanted: string;
}

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER): Rule => ({
  accepts: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  wanted: `a whole number of at least ${least}`,
});
const text: Rule = { accepts: (value) => typeof value === 'string', wanted: 'text' };
const yesOrNo: Rule = { accepts: (value) => typeof value === 'boolean', wanted: 'true or false' };
const oneOf = (words: readonly string[]): Rule => ({
  accepts: (value) => words.includes(value as string),
  wanted: `one of ${words.join(', ')}`,
});
const texts: Rule = {
  accepts: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
  wanted: 'a list of event names',
};

const isScript = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'writes' in value &&
  Object.entries(value).every(
    ([key, word]) => ['writes', 'delegateTo', 'gate', 'passOn'].includes(key) && text.accepts(word),
  );
const scripts: Rule = {
  accepts: (value) => typeof value === 'object' && value !== null && Object.values(value).every(isScript),
  wanted: 'scripts by name, each with writes and perhaps delegateTo, gate and passOn',
};

const RULES: Readonly<Record<keyof Behaviour, Rule>> = {
  startDelayMs: wholeNumber(0),
  startDialog: text,
  startExit: wholeNumber(0, 255),
  burstMs: wholeNumber(0),
  swallowEnters: wholeNumber(0),
  acceptDelayMs: wholeNumber(0),
  echoDelayMs: wholeNumber(0),
  signalDialog: text,
  notifyAfterMs: wholeNumber(0),
  suggestion: text,
  contextWindow: wholeNumber(1000),
  thinkMs: wholeNumber(0),
  handoff: oneOf(HANDOFFS),
  injection: oneOf(INJECTIONS),
  exit: oneOf(EXITS),
  dropHooks: texts,
  blockPrompts: text,
  noTranscript: yesOrNo,
  noStatus: yesOrNo,
  oddWork: text,
  queueGapMs: wholeNumber(0),
  sessionAtFirstPrompt: yesOrNo,
  interruptHook: yesOrNo,
  secondStopMs: wholeNumber(0),
  packages: scripts,
};

export function readBehaviour(projectDir: string, isSuccessor: boolean): Behaviour {
  const file = join(projectDir, '.practice.json');
  const written = parseFile(file);
  const { successor, ...own } = written;
  const forSuccessor = successor === undefined ? {} : asObject(successor, `${file}: "successor"`);
  check(own, file);
  check(forSuccessor, `${file}, "successor"`);
  return { ...DEFAULT_BEHAVIOUR, ...own, ...(isSuccessor ? forSuccessor : {}) };
}

function parseFile(file: string): Record<string, unknown> {
  let json: string;
  try {
    json = readFileSync(file, 'utf8');
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StartProblem(`Cannot read ${file}: ${(problem as Error).message}.`);
  }
  try {
    return asObject(JSON.parse(json), file);
  } catch (problem) {
    throw problem instanceof StartProblem ? problem : new StartProblem(`${file} is not JSON.`);
  }
}

function asObject(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new StartProblem(`${where} must be a JSON object.`);
}

function check(given: Record<string, unknown>, where: string): void {
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(RULES, key)) throw new StartProblem(`${where}: unknown key "${key}".`);
    const rule = RULES[key as keyof Behaviour];
    if (!rule.accepts(value)) throw new StartProblem(`${where}: "${key}" must be ${rule.wanted}.`);
  }
}
