import type { Parts } from '../parts.ts';

export async function startSession(parts: Parts, source: 'startup' | 'resume' | 'clear' | 'compact'): Promise<void> {
  const { additionalContext } = await parts.hooks.fire('SessionStart', () => ({ source, model: 'practice-1' }));
  parts.memory.context.push(...additionalContext);
  for (const context of additionalContext) parts.contextUse.takeIn(context);
}
