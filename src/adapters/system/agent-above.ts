import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The agent that a process belongs to. */
export interface AgentAbove {
  /** The agent's number; null if only the agent's token is known. */
  readonly id: number | null;
  readonly token: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Maximum number of ancestor processes to check; a shell usually has about ten. */
const MAX_GENERATIONS = 64;

/**
 * Lists the pids of this process, its parent, and so on up to the first process. Returns an empty list if the system
 * does not report parents.
 */
export function processChain(pid = process.pid, platform = process.platform): readonly number[] {
  const parentOf = platform === 'linux' ? parentFromProc : parentFromPs();
  const chain: number[] = [];
  for (let each = pid; each > 0 && chain.length < MAX_GENERATIONS; each = parentOf(each)) chain.push(each);
  return chain;
}

/**
 * Returns the fields of /proc/PID/stat after the name of the command. This name is in parentheses, and may itself
 * contain spaces and parentheses.
 */
const fieldsBehindName = (pid: number): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};

const parentFromProc = (pid: number): number => Number(fieldsBehindName(pid)[1] ?? 0);

function parentFromPs(): (pid: number) => number {
  try {
    const told = execFileSync('ps', ['-axo', 'pid=,ppid='], { timeout: 2000, encoding: 'utf8' });
    const parents = new Map(told.split('\n').map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
    return (pid) => parents.get(pid) ?? 0;
  } catch {
    return () => 0;
  }
}

/**
 * Finds the agent to which this process belongs. Only agents of this home count. Either the environment variables of
 * the process or of an ancestor name the agent, or an ancestor is the process of an adopted session.
 */
export function agentAbove(
  homePath: string,
  env: Variables,
  chain: readonly number[] = processChain(),
): AgentAbove | undefined {
  const home = resolved(homePath);
  const own = agentNamedIn(env, home);
  if (own !== undefined) return own;
  for (const pid of chain.slice(1)) {
    const found = agentNamedIn(environmentOf(pid), home) ?? adoptedAs(pid, home);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns whether the environment contains the number of an agent of this home, but lacks the agent's token. A process
 * with such an environment must not get the operator's rights. If the environment names no home, the agent counts as an
 * agent of this home.
 */
export function namesAgentWithoutToken(homePath: string, env: Variables): boolean {
  const { BATON_AGENT_ID: id = '', BATON_AGENT_TOKEN: token = '' } = env;
  return id !== '' && token === '' && !isOfOtherHome(env, resolved(homePath));
}

/**
 * Finds the agent that these environment variables name. BATON_SESSION_START is a path in the home of the agent's own
 * Baton, so an agent of another home is detected and ignored.
 */
function agentNamedIn(variables: Variables, home: string): AgentAbove | undefined {
  const { BATON_AGENT_TOKEN: token = '', BATON_AGENT_ID: id = '' } = variables;
  if (token === '' || isOfOtherHome(variables, home)) return undefined;
  return { token, id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null };
}

const isOfOtherHome = ({ BATON_SESSION_START: start = '' }: Variables, home: string): boolean =>
  start !== '' && resolved(dirname(dirname(dirname(start)))) !== home;

/** Returns the BATON_ variables that the process was started with; empty if they cannot be read. */
function environmentOf(pid: number): Variables {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(
      pairs
        .filter((pair) => pair.startsWith('BATON_'))
        .map((pair): [string, string] => {
          const at = pair.indexOf('=');
          return [pair.slice(0, at), pair.slice(at + 1)];
        }),
    );
  } catch {
    return {};
  }
}

/**
 * True if an ancestor of the process is the tmux server of this home, even if the server runs the process outside of
 * any pane.
 */
export function isInTmuxOf(homePath: string, chain: readonly number[], platform = process.platform): boolean {
  const socket = join(homePath, 'tmux.sock');
  return chain.slice(1).some((pid) => {
    const words = commandOf(pid, platform);
    return /(^|\/)tmux(:|$)/.test(words[0] ?? '') && words.includes(socket);
  });
}

function commandOf(pid: number, platform: NodeJS.Platform): readonly string[] {
  try {
    if (platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { timeout: 2000, encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return [];
  }
}

/**
 * Reads the adopted agent of this process from a file that Baton wrote. The file also contains the start time of the
 * process, to detect a reused pid.
 */
function adoptedAs(pid: number, home: string): AgentAbove | undefined {
  try {
    const [line = ''] = readFileSync(join(home, 'adopted', String(pid)), 'utf8').split('\n', 1);
    const [id, token = '', mark] = line.split(' ');
    const begun = fieldsBehindName(pid)[19];
    return token === '' || (begun !== undefined && begun !== mark) ? undefined : { id: Number(id), token };
  } catch {
    return undefined;
  }
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
