/**
 * The built-in text of the handoff instruction, which asks the outgoing agent to write its handoff document. The
 * operator can replace this text with a template.
 */
export const INSTRUCTION_TEXT = [
  '{{persona}}, your session is about to be handed over to a successor who knows nothing of what you know (reason: {{reason}}).',
  'Write a handoff document now, in the first person, to exactly this file:',
  '  {{path}}',
  'Use your own file-writing tool. Cover, each under its own heading:',
  '{{sections}}',
  'Include what the files do not show: dead ends, reasons, half-formed plans. Do not copy secrets into it.',
  'The operator adds: {{note}}',
  'End the document with this line, exactly: {{end_marker}}',
  'Then stop. Do nothing else in this turn.',
].join('\n');

/** The sections of the document. They cannot be edited, because the review and the successors rely on them. */
export const SECTIONS_ASKED_FOR = [
  '1. What you were working on',
  '2. Current progress and state',
  '3. Key decisions you made, and why',
  '4. Blockers you ran into',
  '5. Files you modified',
  '6. Next steps, and what remains (one per line)',
  '7. Open questions for the operator (one per line; leave this out if you have none)',
  '8. Lessons that every later agent with your persona should know (one per line; only what holds beyond this task; leave this out if you have none)',
].join('\n');
