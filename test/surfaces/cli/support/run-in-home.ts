import { Readable } from 'node:stream';
import { agentAbove, namesAgentWithoutToken } from '../../../../src/adapters/system/agent-above.ts';
import { lintFiles, readYaml } from '../../../../src/main/lint-file.ts';
import { maintainHome } from '../../../../src/main/maintenance/maintain-home.ts';
import { changeOperatorHooks } from '../../../../src/main/operator-hooks.ts';
import { readTeam } from '../../../../src/main/team-file.ts';
import { checkWorkflow } from '../../../../src/main/workflow-file.ts';
import { type CliDeps, runCli } from '../../../../src/surfaces/cli/run-cli.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Circumstances extends Partial<Pick<CliDeps, 'env' | 'startServer'>> {
  readonly stdin?: string;
  readonly tty?: boolean;
  /** True if standard input is a terminal. The default is the value of `tty`. */
  readonly stdinTty?: boolean;
  readonly columns?: number;
}

/** Runs the command line in this process. Returns the output that a terminal or a script would get. */
export async function runInHome(homePath: string, argv: readonly string[], given: Circumstances = {}): Promise<Ran> {
  const { stdin, tty = false, stdinTty = tty, columns = 0, env = {}, startServer = async () => 0 } = given;
  const written = { stdout: '', stderr: '' };
  const writer = (name: 'stdout' | 'stderr') => ({
    isTTY: tty,
    // The width may be 0, because some terminals report 0 columns (script(1), some CI systems).
    columns,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const input = stdin === undefined ? {} : { stdin: Object.assign(Readable.from([stdin]), { isTTY: stdinTty }) };
  const code = await runCli(argv, {
    homePath,
    version: '1.2.3',
    self: ['baton'],
    startServer,
    shell: () => {
      const agent = agentAbove(homePath, env, []);
      const isTokenless = agent === undefined && namesAgentWithoutToken(homePath, env);
      return { agent, isInTmux: false, isTokenless, processes: [] };
    },
    serveTools: async () => 0,
    hooks: (wanted) => changeOperatorHooks({ homePath, env }, wanted),
    lint: async (files) => lintFiles(files),
    readYaml: async (file) => readYaml(file),
    readTeam: async (file) => readTeam(file),
    checkWorkflow: async (file) => checkWorkflow(file),
    excludeArchive: async () => ({ file: '', pattern: '', added: false }),
    keep: async () => maintainHome({ homePath, self: ['baton'], env }),
    env,
    stdout: writer('stdout'),
    stderr: writer('stderr'),
    ...input,
  });
  return { code, ...written };
}
