import type { Action, TurnPlan } from './action.ts';

interface Directive {
  readonly name: string;
  readonly argument: string;
}

const PATTERN = /\[\[practice:([a-z]+)(?:\s+([\s\S]*?))?\]\]/g;

/**
 * Matches the sentence of a handoff prompt that quotes the predecessor's last task. The agent ignores directives in
 * this quote, because they were meant for its predecessor.
 */
const TOLD = /^The last thing .* was asked to do: .*$/gm;

export function findDirectives(prompt: string): Directive[] {
  return [...prompt.replace(TOLD, '').matchAll(PATTERN)].map((match) => ({
    name: match[1] ?? '',
    argument: (match[2] ?? '').trim(),
  }));
}

export function* followDirectives(directives: readonly Directive[]): TurnPlan {
  for (const directive of directives) {
    const action = actionFor(directive);
    const seen = yield action;
    if (action.kind === 'ask')
      yield { kind: 'say', text: seen.ok ? 'Thank you, I went on.' : 'Understood, I left it.' };
    if (action.kind === 'choose') yield { kind: 'say', text: `You chose: ${seen.text}` };
  }
}

function actionFor({ name, argument }: Directive): Action {
  switch (name) {
    case 'slow':
      return { kind: 'think', ms: Number(argument) || 0 };
    case 'await':
      return { kind: 'await-file', path: argument };
    case 'dialog':
      return { kind: 'ask', text: argument };
    case 'menu': {
      const [question = '', ...options] = argument.split('|').map((word) => word.trim());
      return { kind: 'choose', question, options };
    }
    case 'context':
      return { kind: 'set-context', percent: Number(argument) || 0 };
    case 'write': {
      const [path = '', ...words] = argument.split(' ');
      return { kind: 'write', path, content: words.join(' ') };
    }
    case 'bash':
      return { kind: 'bash', command: argument };
    case 'compact':
      return { kind: 'compact' };
    case 'error':
      return { kind: 'fail', message: 'API Error: 400 practice error' };
    case 'crash':
      return { kind: 'crash' };
    case 'question':
    case 'lesson':
      return { kind: 'say', text: `I keep this ${name} for my handoff document.` };
    case 'say':
      return { kind: 'say', text: argument };
    default:
      return { kind: 'say', text: `I know no practice directive "${name}".` };
  }
}
