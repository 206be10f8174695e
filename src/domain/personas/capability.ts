/** The abilities of the agents of a runtime, in the order in which they are shown. */
export const CAPABILITIES = [
  'control_api',
  'own_status',
  'transcript_receipts',
  'context_use',
  'token_counts',
  'usage_limits',
  'compaction',
  'questions',
  'interrupt',
  'skill_at_start',
  'package_tools',
  'model',
  'arguments',
  'resume',
  'adopt',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
