import type { LogEntry } from './stage/practice-log.ts';

export interface Evidence {
  readonly runId: number;
  readonly acknowledged: boolean;
  readonly documentPath: string;
  readonly document: string;
  /** The logs that the two agents wrote themselves, oldest entry first. */
  readonly predecessor: readonly LogEntry[];
  readonly successor: readonly LogEntry[];
}

export interface Verdict {
  readonly proofOk: boolean;
  /** All problems that the check found. Some of them, such as problems with prompts, do not affect `proofOk`. */
  readonly problems: readonly string[];
}

/** Checks the handoff against the agents' own logs, and not against Baton's reports. */
export function checkEvidence(evidence: Evidence): Verdict {
  const proof = proofProblems(evidence);
  return { proofOk: proof.length === 0, problems: [...proof, ...promptProblems(evidence)] };
}

function endTokenOf(document: string): string | undefined {
  return /<!-- handoff-end:(\S+) -->\s*$/.exec(document)?.[1];
}

function proofProblems({ runId, acknowledged, documentPath, document, successor }: Evidence): string[] {
  const token = endTokenOf(document);
  if (token === undefined) return ['The document does not end with its end marker.'];
  const problems = acknowledged ? [] : ['The handoff is not acknowledged.'];
  const read = successor.findIndex((entry) => isTool(entry, 'Read') && inputOf(entry).file_path === documentPath);
  const ack = successor.findIndex(
    (entry) => isTool(entry, 'Bash') && isAck(String(inputOf(entry).command), runId, token),
  );
  if (read === -1) problems.push('The successor did not read the document.');
  if (ack === -1) problems.push("The successor did not acknowledge with the token in the document's last line.");
  if (ack !== -1 && ack < read) problems.push('The successor acknowledged before it had read the document.');
  if (typedTo(successor).includes(token))
    problems.push('The token was typed to the successor, so its acknowledgment proves nothing.');
  return problems;
}

function promptProblems({ predecessor, successor }: Evidence): string[] {
  const problems: string[] = [];
  const expectOne = (who: string, log: readonly LogEntry[], purpose: string): number => {
    const found = log.flatMap((entry, at) => (isPrompt(entry, purpose) ? [at] : []));
    if (found.length !== 1) problems.push(`The ${who} accepted ${found.length} ${purpose} prompts instead of one.`);
    return found[0] ?? -1;
  };
  expectOne('predecessor', predecessor, 'instruction');
  const skill = expectOne('successor', successor, 'skill');
  const injection = expectOne('successor', successor, 'injection');
  if (skill > injection) problems.push('The successor got its skill after the handoff prompt.');
  return problems;
}

const isPrompt = (entry: LogEntry, purpose: string): boolean =>
  entry.type === 'submitted' && String(entry.text).includes(`-${purpose}]`);

const isTool = (entry: LogEntry, name: string): boolean =>
  entry.type === 'tool' && entry.name === name && entry.ok === true;

const inputOf = (entry: LogEntry): Readonly<Record<string, unknown>> => entry.input as Record<string, unknown>;

const isAck = (command: string, runId: number, token: string): boolean =>
  command.startsWith(`baton ack ${runId} --proof ${token} `);

/** Returns the text typed to an agent. Joins all chunks first, because a word could be split across two chunks. */
function typedTo(log: readonly LogEntry[]): string {
  const bytes = log.filter(({ type }) => type === 'bytes').map(({ hex }) => Buffer.from(String(hex), 'hex'));
  const pastes = log.filter(({ type }) => type === 'paste').map(({ text }) => String(text));
  return [Buffer.concat(bytes).toString('utf8'), ...pastes].join('\n');
}
