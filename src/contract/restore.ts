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
            'offered: not requested yet. Requested agents are waiting, starting, back or failed, one after another.',
          ),
        resumed_as: z.int().nullable(),
        detail: z.string().nullable(),
      }),
    ),
    over: z.boolean().describe('True if no agent is waiting or starting.'),
  })
  .meta({ id: 'Restore' });
export type Restore = z.infer<typeof Restore>;
