import type { Parts } from '../parts.ts';

export async function startSession(parts: Parts, source: 'startup' | 'resume' | 'clear' | 'compact'): Promise<void> {
  const { additionalContext } = await parts.hooks.fire('SessionStart', () => ({ source, model: 'practice-1' }));
  for (const text of additionalContext) {
    parts.log.write('context', { source, text });
    parts.memory.context.push(text);
    parts.contextUse.takeIn(text);
  }
}
