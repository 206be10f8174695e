/** Every step in words for people; a step that this page does not know is shown by its name. */
const WORDS: Readonly<Record<string, string>> = {
  requested: 'Handoff requested',
  waiting_safe_point: 'Waiting until the agent can be spoken to',
  instructing: 'Asking for the document',
  awaiting_document: 'The agent writes its document',
  verifying: 'Checking the document',
  recorded: 'Document recorded',
  shutting_down: 'The agent leaves',
  creating_successor: 'Starting the successor',
  awaiting_registration: 'The successor starts',
  injecting_skill: 'Giving the skill',
  delivering_prompt: 'Giving the handoff',
  awaiting_acknowledgement: 'The successor reads',
  undoing: 'Taking it back',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const stepInWords = (step: string): string => WORDS[step] ?? step.replaceAll('_', ' ');
