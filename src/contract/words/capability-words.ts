import type { Capability } from '../../domain/personas/capability.ts';

// The page imports CAPABILITIES from this file, because an import from resources.ts would add the library zod to the
// page.
export { CAPABILITIES } from '../../domain/personas/capability.ts';

/** The words for each capability of an agent type, for page, command line and docs. */
export const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = {
  control_api: 'prompts and state through a control API',
  own_status: 'own status (idle, working) for every agent',
  transcript_receipts: 'a second receipt for each prompt from its transcript',
  context_use: 'context use in percent',
  token_counts: 'tokens by day',
  usage_limits: 'usage limits as a state',
  compaction: 'reports of compactions',
  questions: 'questions answered through Baton',
  interrupt: 'interrupting a turn',
  skill_at_start: 'the skill at the start of a session, without typing',
  package_tools: 'package tools by MCP',
  model: 'choosing a model',
  arguments: 'own arguments for the client',
  resume: 'resume, restore and undo',
  adopt: 'adopting sessions that you started yourself',
};
