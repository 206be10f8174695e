import type { TurnPlan } from './action.ts';
import { findDirectives, followDirectives } from './directives.ts';
import { findHandoffInstruction, writeHandoff } from './handoff/handoff-instruction.ts';
import { findEmergency, findInjection, takeOver, takeOverUnprepared } from './handoff/injection.ts';
import { acceptPriming, isPriming } from './handoff/priming.ts';
import { findAnnouncement, handlePackage, isPackageNotice, leavePackage } from './packages/packages.ts';
import type { Situation } from './situation.ts';
import { work } from './work.ts';

/** Plans a turn in place of a language model. The same prompt in the same situation always gives the same turn. */
export function* planTurn(prompt: string, situation: Situation): TurnPlan {
  yield { kind: 'think' };
  const directives = findDirectives(prompt);
  for (const { name, argument } of directives) {
    if (name === 'question') situation.memory.questions.push(argument);
    if (name === 'lesson') situation.memory.lessons.push(argument);
  }
  yield* followDirectives(directives);
  const instruction = findHandoffInstruction(prompt);
  if (instruction !== undefined) return yield* writeHandoff(instruction, situation);
  const injection = findInjection(prompt);
  if (injection !== undefined) return yield* takeOver(injection, situation);
  const emergency = findEmergency(prompt);
  if (emergency !== undefined) return yield* takeOverUnprepared(emergency, situation);
  const announced = findAnnouncement(prompt);
  const script = situation.behaviour.packages[situation.name];
  if (announced !== undefined && script !== undefined) return yield* handlePackage(announced, script);
  if (isPackageNotice(prompt)) return yield* leavePackage();
  if (isPriming(prompt)) return yield* acceptPriming(prompt, situation);
  if (directives.length === 0) return yield* work(prompt, situation);
  yield { kind: 'say', text: 'I did what the practice directives asked.' };
}
