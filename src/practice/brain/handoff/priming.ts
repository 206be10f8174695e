import type { TurnPlan } from '../action.ts';
import type { Situation } from '../situation.ts';

export function isPriming(prompt: string): boolean {
  return /^You are\b.*\bskill\b/m.test(prompt) || /^Baton persona/.test(prompt.trimStart());
}

export function* acceptPriming(prompt: string, { name, memory }: Situation): TurnPlan {
  memory.skill = prompt;
  yield { kind: 'say', text: `I am ${name}. I will keep to that skill and wait for the first task.` };
}
