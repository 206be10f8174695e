import { z } from 'zod';
import { VARIABLE_ORIGINS } from '../domain/environment/variable.ts';

/** The environment that an agent would get if it started now. */
export const Environment = z
  .object({
    agent_id: z.int().nullable(),
    project: z.object({ id: z.int(), name: z.string(), path: z.string() }).nullable(),
    /** The login shell whose startup files are read. */
    shell: z.string(),
    /**
     * When the login environment was read; null if it could not be read. In that case agents get Baton's own
     * environment.
     */
    read_at: z.string().nullable(),
    problems: z.array(z.string()),
    variables: z.array(
      z.object({
        name: z.string(),
        origin: z.enum(VARIABLE_ORIGINS),
        /** The value; null if it is not shown because it is or may be a secret. */
        value: z.string().nullable(),
      }),
    ),
    /** Names of the variables that Baton unsets for the agent, because the agent's pane might inherit them. */
    removed: z.array(z.string()),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;
