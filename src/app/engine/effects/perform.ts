import type { Effect, EffectKind } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { answerExit } from '../../messages/answer-question.ts';
import { sendFirstPrompt } from '../../messages/send-message.ts';
import type { Ports } from '../../ports/index.ts';
import { adoptPane, releasePane } from './adopt-pane.ts';
import { announcePackage } from './announce-package.ts';
import { confirmPrompt } from './confirm-prompt.ts';
import { checkDocument, checkSuccessorCanStart, compareDocument, prepareDocumentPlace } from './documents.ts';
import { interruptAgent } from './interrupt-agent.ts';
import { endAgent, launchAgent } from './launch-agent.ts';
import { primeAgent, typeContinue, typeExit, typeInjection, typeInstruction, typeNudge } from './type-prompts.ts';

/**
 * Performs one effect and returns the facts that it observed. Throws if the effect fails and no fact describes the
 * failure.
 */
type Performer<K extends EffectKind> = (ports: Ports, effect: Extract<Effect, { kind: K }>) => Promise<readonly Fact[]>;

const PERFORMERS: { readonly [K in EffectKind]: Performer<K> } = {
  launch_agent: launchAgent,
  adopt_agent: adoptPane,
  release_agent: releasePane,
  end_agent: endAgent,
  interrupt_agent: interruptAgent,
  prime_agent: primeAgent,
  send_first_prompt: sendFirstPrompt,
  prepare_document_place: prepareDocumentPlace,
  type_instruction: typeInstruction,
  confirm_prompt: confirmPrompt,
  check_document: checkDocument,
  compare_document: compareDocument,
  check_successor_can_start: checkSuccessorCanStart,
  type_exit: typeExit,
  answer_exit: answerExit,
  type_injection: typeInjection,
  type_nudge: typeNudge,
  type_continue: typeContinue,
  announce_package: announcePackage,
};

export function perform(ports: Ports, effect: Effect): Promise<readonly Fact[]> {
  // TypeScript cannot infer that the performer for one kind of effect accepts every effect of that kind, so a cast is
  // needed.
  const performer = PERFORMERS[effect.kind] as (ports: Ports, effect: Effect) => Promise<readonly Fact[]>;
  return performer(ports, effect);
}
