import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import type { CliDeps } from '../cli-deps.ts';
import { EXIT, ServerUnreachable } from '../cli-fault.ts';
import { agentClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';

interface Acknowledgement {
  readonly proof: string;
  readonly task: string;
}

/**
 * Sends the acknowledgment to the server. If the server is down, stores the acknowledgment in the spool, so that it is
 * not lost: the server reads the spool at its next start.
 */
export async function acknowledge(cli: Cli, runId: number, said: Acknowledgement): Promise<number> {
  try {
    const answer = await agentClient(cli.deps).post(PATHS.acknowledge(runId), said, Run);
    return showAnswer(cli, answer, () => [
      [`Handoff ${runId} is acknowledged. Continue with the first of the next steps.`],
    ]);
  } catch (error) {
    if (!(error instanceof ServerUnreachable) || !(await leaveInSpool(cli.deps, runId, said))) throw error;
    if (cli.json) cli.out.json({ status: 'kept', run_id: runId });
    else
      cli.out.print(
        `Baton does not answer right now. It will get your acknowledgment of handoff ${runId} later; continue your work.`,
      );
    return EXIT.done;
  }
}

/**
 * Runs the hook script to store the acknowledgment, so that no second program has to write files in the spool's format.
 */
function leaveInSpool({ homePath, env }: CliDeps, runId: number, said: Acknowledgement): Promise<boolean> {
  return new Promise((resolve) => {
    const script = spawn('/bin/sh', [join(homePath, 'bin', 'baton-hook'), 'Acknowledge'], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let told = '';
    script.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    script.on('error', () => resolve(false));
    // The hook script always exits with 0, because a failing hook disturbs an agent. On success the script prints
    // `kept`.
    script.on('close', () => resolve(told === 'kept'));
    script.stdin.end(JSON.stringify({ run_id: runId, ...said }));
  });
}
