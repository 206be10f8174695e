import { z } from 'zod';

export const VariableOrigin = z.enum(['server', 'login_shell', 'direnv', 'config', 'project', 'baton']);
export type VariableOrigin = z.infer<typeof VariableOrigin>;

/** What an agent would be started with now. */
export const Environment = z
  .object({
    agent_id: z.int().nullable(),
    project: z.object({ id: z.int(), name: z.string(), path: z.string() }).nullable(),
    /** Whose files are read. */
    shell: z.string(),
    /** null: it could not be read, and agents get Baton's own environment. */
    read_at: z.string().nullable(),
    problems: z.array(z.string()),
    variables: z.array(
      z.object({
        name: z.string(),
        origin: VariableOrigin,
        /** null: it is or may be a secret. */
        value: z.string().nullable(),
      }),
    ),
    /** Taken away from what the terminal would give. */
    removed: z.array(z.string()),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;
