import { z } from 'zod';
import { VARIABLE_ORIGINS } from '../domain/environment/variable.ts';

/** The environment that an agent would get if it started now. */
export const Environment = z
  .object({
    agent_id: z.int().nullable(),
    project: z.object({ id: z.int(), name: z.string(), path: z.string() }).nullable(),
    /** The operator's login shell. Its startup files define the login environment. */
    shell: z.string(),
    /**
     * The time at which Baton read the login environment. Null if Baton could not read it; agents then get the
     * environment of Baton's own process.
     */
    read_at: z.string().nullable(),
    problems: z.array(z.string()),
    variables: z.array(
      z.object({
        name: z.string(),
        origin: z.enum(VARIABLE_ORIGINS),
        /** The variable's value; null if Baton hides the value because it is or may be a secret. */
        value: z.string().nullable(),
      }),
    ),
    /** Variables that Baton unsets for the agent, because the agent could otherwise inherit them from its pane. */
    removed: z.array(z.string()),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;
