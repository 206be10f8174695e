import type { ErrorBody } from '../../contract/resources.ts';
import { visibleText } from './visible-text.ts';

/** Hints for agents, used where the server's hint names CLI commands or is missing. */
const INSTEAD: Readonly<Record<string, string>> = {
  stale_content: 'Read the package again with handoff_receive, and use its current content.',
  package_refused: 'Nothing was stored. Correct the errors in the list, and call the tool again.',
  not_sealable:
    'Correct the errors in the list, and call the tool again. To check a package without sending it, call handoff_create with try: true.',
  package_not_possible: 'See the state of the package with handoff_inbox, or with handoff_receive if it is for you.',
  package_over: 'The package can no longer be changed. To follow up, create a new package with lineage.parent.',
  package_not_found: 'handoff_inbox lists what waits for you.',
  agents_cannot_decide: 'Ask your operator to decide it in the page or on the command line.',
  key_reused: 'Use another key, or send the same package.',
  unauthorized: 'Ask your operator for help, because Baton does not know this session as an agent.',
  too_large: 'Name files as artifacts instead of copying their content.',
  not_running: 'Ask your operator to start Baton (baton start), then call this tool again.',
  connection_lost:
    'Before you call the tool again, check with handoff_inbox whether Baton has already performed the call.',
};

/** Describes a refusal: one sentence, what to do instead, and each error of the lint with rule, pointer and fix. */
export function sayRefused({ error, code, hint, findings = [] }: ErrorBody): string {
  const instead = INSTEAD[code] ?? hint;
  const errors = findings.filter(({ severity }) => severity === 'error');
  // If the lint found errors, replace the server's sentence by the number of errors. The server's sentence names only
  // the first few findings, and the lines after it list every error anyway.
  const sentence =
    errors.length === 0
      ? error
      : `${errors.length} ${errors.length === 1 ? 'error keeps' : 'errors keep'} the package from being sealed.`;
  const lines = [
    ended(sentence),
    ...(instead === undefined ? [] : [instead]),
    ...errors.map(({ rule, pointer, message, fix }) => `- ${rule} at ${pointer || '/'}: ${message} Fix: ${fix}`),
  ];
  return visibleText(lines.join('\n'));
}

const ended = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
