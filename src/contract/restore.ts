import { z } from 'zod';
import { CutOff } from './resources.ts';

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
            '`offered`: the restore of this agent was not requested yet. A requested agent is first `waiting`, then `starting`, and finally `back` or `failed`.',
          ),
        resumed_as: z.int().nullable(),
        detail: z.string().nullable(),
        cut_off: CutOff.nullable().optional(),
        context_used_percent: z
          .number()
          .nullable()
          .optional()
          .describe('The last known context use of the agent; null if it is unknown.'),
      }),
    ),
    over: z.boolean().describe('True if no agent is waiting or starting.'),
  })
  .meta({ id: 'Restore' });
export type Restore = z.infer<typeof Restore>;
