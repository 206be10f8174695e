import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { EvidenceFile } from './evidence.ts';

export interface FloorHandoff {
  /** The time when the handoff began, on the monotonic clock, in nanoseconds. */
  readonly triggered: string;
  readonly accepted: string;
  readonly agent: number;
  readonly successor: number;
}

/** Runs the floor prototype, a minimal program for comparison with Baton, in a separate process. */
export class FloorProcess {
  readonly evidence: EvidenceFile;
  private readonly child: ChildProcess;
  private readonly ready: Promise<unknown>;

  constructor(folder: string, program: string) {
    mkdirSync(join(folder, 'spool'), { recursive: true });
    this.evidence = new EvidenceFile(folder, join(folder, 'spool'), join(folder, 'evidence'));
    this.child = fork(join(ROOT, 'bench/floor/floor.mjs'), [folder, program], { execArgv: [], cwd: folder });
    this.ready = this.answer();
  }

  private async answer(): Promise<unknown> {
    const [{ result, problem }] = (await once(this.child, 'message')) as [{ result?: unknown; problem?: string }];
    if (problem !== undefined) throw new Error(`the floor failed: ${problem}`);
    return result;
  }

  private async ask(request: object): Promise<unknown> {
    await this.ready;
    const answer = this.answer();
    this.child.send(request);
    return answer;
  }

  /** Starts agents. Returns the numbers of all agents. */
  async start(count: number): Promise<readonly number[]> {
    return (await this.ask({ do: 'start', count })) as number[];
  }

  /** Types prompts. Returns for each prompt the agent that it was sent to, and the time of sending in milliseconds. */
  async type(text: string, times: number): Promise<readonly { readonly agent: number; readonly at: number }[]> {
    const sent = (await this.ask({ do: 'type', text, times })) as { agent: number; at: string }[];
    return sent.map(({ agent, at }) => ({ agent, at: Number(BigInt(at)) / 1e6 }));
  }

  async handOff(count: number): Promise<readonly FloorHandoff[]> {
    return (await this.ask({ do: 'handoff', count })) as FloorHandoff[];
  }

  async close(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.disconnect();
    await gone;
  }
}
