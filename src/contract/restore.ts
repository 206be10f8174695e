import { z } from 'zod';

export const Restore = z
  .object({
    agents: z.array(
      z.object({
        agent_id: z.int(),
        label: z.string(),
        project: z.string(),
        status: z
          .enum(['offered', 'waiting', 'starting', 'back', 'failed'])
          .describe(
            'offered: nobody has asked for it yet. One after the other waits, starts, and is back or has failed.',
          ),
        resumed_as: z.int().nullable(),
        detail: z.string().nullable(),
      }),
    ),
    over: z.boolean().describe('Nothing waits or starts.'),
  })
  .meta({ id: 'Restore' });
export type Restore = z.infer<typeof Restore>;
