import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Event, Run } from '../../../src/contract/resources.ts';
import { shellQuote } from '../../../src/domain/shell-quote.ts';
import type { PackageProcess } from '../../../test/e2e/packages/package-process.ts';
import { PROGRAM, run } from '../../../test/support/baton-process.ts';

export interface AgentShells {
  /** The number of attempts to act as the operator. Each command is tried in several ways. */
  readonly tried: number;
  /**
   * One sentence for each defect that this attack found: a command that an agent could run as the operator, or a
   * refusal that did not say why.
   */
  readonly found: readonly string[];
}

interface Ran {
  readonly code: number;
  readonly said: string;
}

type Shell = (command: string) => Promise<Ran>;

/**
 * Commands that only the operator may run. `{run}` is a run that waits for approval. `{self}`, `{persona}` and
 * `{project}` are the attacking agent, its persona and its project. `{other}` is another agent, and `{home}` is Baton's
 * home.
 */
const COMMANDS = [
  'handoff approve {run}',
  'handoff cancel {run} --yes',
  // The old name of the command `handoff approve` is still accepted as a hidden alias.
  'run approve {run}',
  'agent stop {other} --force --yes',
  'agent send {other} hello',
  'agent start --no-persona --no-wait',
  'agent list',
  'events',
  'settings set handoff_at_percent 90',
  'policy set auto --agent {self}',
  'policy set auto --persona {persona}',
  'policy set auto --project {project}',
  'persona register --role tester --name Eve',
  'open',
  'status',
  'logs',
  'backup {home}/stolen.tar.gz',
  'purge --all --yes',
  'start',
];

/** API requests with the same effect as the commands. An agent could send them without using the command line. */
const REQUESTS = [
  ['POST', '/api/runs/{run}/approve'],
  ['POST', '/api/runs/{run}/cancel'],
  ['POST', '/api/agents/{other}/stop'],
  ['POST', '/api/login-codes'],
  ['GET', '/api/agents'],
  ['GET', '/api/events'],
  ['POST', '/api/agents/{self}/handoff-policy'],
  ['POST', '/api/personas/{persona}/handoff-policy'],
  ['POST', '/api/projects/{project}/handoff-policy'],
] as const;

/**
 * Starts a handoff of this agent with a review by the operator. Waits until only the operator's approval is missing.
 */
export async function awaitApproval({ baton }: PackageProcess, agent: Agent): Promise<Run> {
  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, { review: true });
  await baton.step(body.run_id, 'recorded');
  return baton.get<Run>(`/api/runs/${body.run_id}`);
}

/**
 * Lets the agent `ann` try to act as the operator, for example from a child process, a new terminal, Baton's tmux
 * server, or curl with its own token. Before the call, a handoff of another agent must be waiting for the operator's
 * approval.
 */
export async function tryAgentShells(
  scene: PackageProcess,
  waiting: Run,
  commands: readonly string[] = COMMANDS,
): Promise<AgentShells> {
  const { baton, ann } = scene;
  const other = waiting.agent_id;
  const found: string[] = [];
  let tried = 0;
  const before = (await baton.get<{ last_seq: number }>('/api/health')).last_seq;
  const filled = (text: string): string =>
    text
      .replace('{run}', String(waiting.id))
      .replace('{other}', String(other))
      .replace('{self}', String(ann.id))
      .replace('{persona}', ann.persona?.slug ?? '')
      .replace('{project}', String(ann.project.id))
      .replace('{home}', baton.home);

  const program = `${shellQuote(process.execPath)} ${shellQuote(PROGRAM)}`;
  const bare = `env -i PATH="$PATH" HOME="$HOME" BATON_HOME=${shellQuote(baton.home)}`;
  const below = inAgent(scene, ann);
  const ways: readonly (readonly [name: string, shell: Shell])[] = [
    ["with the agent's variables", outside(scene, true)],
    ["with the agent's token alone", outside(scene, false)],
    ["below the agent's process", (command) => below(`baton ${command}`)],
    ['below it without its variables', (command) => below(`${bare} ${program} ${command}`)],
    ['below it by script', (command) => below(`script -qec ${shellQuote(`${bare} ${program} ${command}`)} /dev/null`)],
    ['below it by setsid', (command) => below(`setsid -w ${bare} ${program} ${command}`)],
    ["from Baton's tmux server", (command) => below(inTmux(baton.home, `${bare} ${program} ${command}`))],
  ];
  for (const [name, shell] of ways)
    for (const command of commands.map(filled)) {
      tried++;
      const { code, said } = await shell(command);
      const where = `baton ${command} ${name}`;
      if (code === 0) found.push(`${where}: done: ${said.slice(0, 120)}`);
      else if (!/This shell (belongs to (an )?agent|runs in Baton's tmux)/.test(said))
        found.push(`${where}: is not told whose shell it is: ${said.slice(0, 200)}`);
    }
  for (const [method, path] of REQUESTS)
    for (const place of [
      `--unix-socket ${shellQuote(`${baton.home}/baton.sock`)} http://localhost`,
      `http://127.0.0.1:${baton.port}`,
    ]) {
      tried++;
      const asked = `curl -s -o /dev/null -w '%{http_code}' -X ${method} -H "Authorization: Bearer $BATON_AGENT_TOKEN" -H 'Content-Type: application/json' ${method === 'POST' ? "-d '{}' " : ''}${place}${filled(path)}`;
      const { said } = await below(asked);
      if (said.trim() !== '403') found.push(`${method} ${filled(path)} by curl: answered ${said.slice(0, 80)}`);
    }

  const { events } = await baton.get<{ events: Event[] }>(`/api/events?after=${before}`);
  // No event about another agent may name the operator as its author. Events about `ann` are skipped, because this test
  // itself sends commands to `ann` as messages of the operator.
  for (const { seq, type, by, agent_id } of events)
    if (by?.startsWith('operator') && agent_id !== ann.id) found.push(`event ${seq} (${type}) names the ${by}`);
  for (const { seq, type } of events)
    if (/^handoff_policy_/.test(type)) found.push(`event ${seq}: a handoff policy was changed`);
  const { step } = await baton.get<Run>(`/api/runs/${waiting.id}`);
  if (step !== waiting.step) found.push(`run ${waiting.id} went from ${waiting.step} to ${step}`);
  const { state } = await baton.get<Agent>(`/api/agents/${other}`);
  if (state === 'ended') found.push(`agent ${other} was stopped`);
  return { tried, found };
}

/** Runs the command outside the agent's process, either with all of the agent's variables or only with its token. */
function outside({ baton, ann, token }: PackageProcess, whole: boolean): Shell {
  const { BATON_AGENT_TOKEN: _, ...rest } = process.env;
  const own = {
    BATON_AGENT_ID: String(ann.id),
    BATON_SESSION_START: join(baton.home, 'agents', String(ann.id), 'session-start'),
  };
  const env = {
    ...rest,
    BATON_HOME: baton.home,
    BATON_AGENT_TOKEN: token.call({ baton } as PackageProcess, ann),
    ...(whole ? own : {}),
  };
  return async (command) => {
    const { code, stdout, stderr } = await run(
      'sh',
      ['-c', `${shellQuote(process.execPath)} ${shellQuote(PROGRAM)} ${command}`],
      env,
    );
    return { code, said: stdout + stderr };
  };
}

/** Makes the practice agent run the command with its own tool. The command's output and exit code go to a file. */
function inAgent({ baton, projectPath }: PackageProcess, agent: Agent): Shell {
  let count = 0;
  return async (command) => {
    const name = `agent-shell-${++count}`;
    const script = join(projectPath, `${name}.sh`);
    const result = join(projectPath, `${name}.txt`);
    writeFileSync(
      script,
      `( ${command} ) >${shellQuote(`${result}.part`)} 2>&1 </dev/null\necho "exit $?" >>${shellQuote(`${result}.part`)}\nmv ${shellQuote(`${result}.part`)} ${shellQuote(result)}\n`,
    );
    const { body } = await baton.call('POST', `/api/agents/${agent.id}/messages`, {
      text: `[[practice:bash sh ${name}.sh]]`,
    });
    const text = await read(result, JSON.stringify(body));
    for (const path of [script, result]) rmSync(path);
    await baton.ready(agent.id, false);
    const code = Number(/exit (\d+)\s*$/.exec(text)?.[1] ?? -1);
    return { code, said: text.replace(/exit \d+\s*$/, '') };
  };
}

/**
 * Makes a command that runs as a child of the tmux server, outside any pane. Redirects the output to a file, because
 * run-shell would print it into a pane.
 */
function inTmux(home: string, command: string): string {
  const out = shellQuote(join(home, 'in-tmux'));
  const inner = `( ${command} ) >${out} 2>&1; echo "exit $?" >>${out}`;
  return `tmux -S ${shellQuote(join(home, 'tmux.sock'))} run-shell ${shellQuote(inner)} ; cat ${out}; sh -c "exit $(sed -n 's/^exit //p' ${out})"`;
}

async function read(path: string, told: string): Promise<string> {
  const until = Date.now() + 120_000;
  for (;;) {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if (Date.now() > until) throw new Error(`the agent did not run its command (${told})`, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
