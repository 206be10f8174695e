import { z } from 'zod';

/** The schema of a team file, from which `baton up` starts agents. */

const project = z
  .string()
  .min(1)
  .max(4096)
  .describe('The project folder. A relative path is relative to the folder of the team file.');
const runtime = z.string().min(1).max(60).describe('The agent type; see: baton agent runtimes.');

const TeamAgent = z.strictObject({
  name: z.string().min(1).max(80).describe("The persona's name."),
  role: z.string().min(1).max(200).optional().describe('The role of the persona; required if the persona is new.'),
  project: project.optional(),
  runtime: runtime.optional(),
  worktree: z
    .union([z.boolean(), z.string().min(1).max(60)])
    .optional()
    .describe('If true or a name, the agent works in a new git worktree.'),
  prompt: z.string().min(1).max(65_536).optional().describe('The first prompt of the agent.'),
});

export const TeamFile = z.strictObject({
  project: project
    .optional()
    .describe('The project of all agents that have no field `project`. If omitted, the folder of the team file.'),
  runtime: runtime
    .optional()
    .describe(
      'The agent type of all agents that have no field `runtime`. If omitted, the agent type in the setting `default_runtime`.',
    ),
  agents: z.array(TeamAgent).min(1).max(50),
});

/** An agent of a team file. The defaults of the file are filled in, and the project is an absolute path. */
export interface TeamEntry {
  readonly line: number;
  readonly name: string;
  readonly role: string | undefined;
  readonly project: string;
  readonly runtime: string | undefined;
  /**
   * The name of a new worktree. If the name is empty, Baton chooses one. Undefined if the agent works in the project's
   * own folder.
   */
  readonly worktree: string | undefined;
  readonly prompt: string | undefined;
}
