import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../../app/error-message.ts';
import type { AnswerRequest, DeliveryOutcome, ScreenQuestion } from '../../../app/ports/terminal.ts';
import { typeable } from '../../../domain/plain-text.ts';
import type { TmuxLog } from '../connection/tmux-log.ts';
import type { Cursor } from '../pane-facts.ts';
import { obstacle, type Refusal, refuse } from './await-ready.ts';
import { checkDeliveryId } from './checks.ts';
import { createPace } from './pace.ts';
import type { PaneAccess } from './pane-access.ts';

const MAX_ATTEMPTS = 5;
const STEP_MS = 3_000;
const GONE_MS = 5_000;
/**
 * The dialog counts as closed if this many readings of the screen in a row do not show it. A single reading is not
 * enough, because a half-drawn screen shows no dialog either.
 */
const GLANCES = 3;

const unconfirmed = (detail: string): DeliveryOutcome => ({ verdict: 'unconfirmed', detail });

/** Answers a question. The caller holds the pane's lock. Can throw only before it has pressed a key. */
export async function answer(access: PaneAccess, request: AnswerRequest, log: TmuxLog): Promise<DeliveryOutcome> {
  checkDeliveryId(request.id);
  for (let attempt = 1; ; attempt++) {
    const found = await findQuestion(access, request);
    if ('verdict' in found) return found;
    const option = 'choice' in request.says ? request.says.choice : found.question.textOption;
    if (option === null || !found.question.options.some(({ number }) => number === option))
      return refuse('other_question');
    if (request.stillWanted?.() === false) return refuse('not_wanted');
    const scene = { access, wanted: request, log, asked: found.question, option };
    const outcome = await afterKey(async () => {
      if (!(await access.pressDigit(request.id, found.cursor, option))) return undefined;
      log('answer pressed', { delivery: request.id });
      return 'text' in request.says ? inOwnWords(scene, request.says.text) : awaitGone(scene);
    });
    if (outcome !== undefined) return outcome;
    // tmux did not press the key, because the pane or its screen had changed. Read the screen again, because perhaps
    // only the highlight has moved.
    if (attempt === MAX_ATTEMPTS) return refuse('busy', "the agent's screen keeps changing");
  }
}

interface Scene {
  readonly access: PaneAccess;
  readonly wanted: AnswerRequest;
  readonly log: TmuxLog;
  /** The question that was on the screen right before the first key was pressed. */
  readonly asked: ScreenQuestion;
  readonly option: number;
}

interface Found {
  readonly question: ScreenQuestion;
  readonly cursor: Cursor;
}

async function findQuestion(
  access: PaneAccess,
  { id, reader, isSameQuestion }: AnswerRequest,
): Promise<Found | DeliveryOutcome> {
  const look = await access.look();
  const refusal: Refusal | undefined = await obstacle(access, look);
  if (refusal !== undefined) return refusal;
  if (!look.here) return refuse(look.reason);
  if (look.facts.delivered.includes(id))
    return unconfirmed('an earlier attempt had already entered it, and its result is unknown');
  const question = reader.readQuestion(look.screen);
  if (question === undefined) return refuse('not_asked');
  return isSameQuestion(question) ? { question, cursor: look.facts.cursor } : refuse('other_question');
}

/**
 * Types the text into the field of the chosen option and submits it. Before each step, waits until the screen shows the
 * result of the previous step.
 */
async function inOwnWords(scene: Scene, says: string): Promise<DeliveryOutcome> {
  const { access, wanted, option, log } = scene;
  const text = typeable(says).replaceAll('\n', ' ');
  const id = `${wanted.id}.text`;
  const open = await awaitStep(scene, ({ highlighted }) => highlighted === option);
  if (open === undefined) return unconfirmed('the text field did not open, so the text was not typed');
  if (!(await access.paste(id, open, text))) return unconfirmed('its screen changed, so the text was not typed');
  log('pasted', { delivery: id, bytes: Buffer.byteLength(text) });
  const filled = await awaitStep(scene, ({ options }) => {
    const label = options.find(({ number }) => number === option)?.label ?? '';
    return showsText(label, text) || wanted.reader.isOurDraft(label, text);
  });
  if (filled === undefined)
    return unconfirmed('the text was typed, but does not appear in the field; Enter was not pressed');
  if (!(await access.inForeground())) return unconfirmed('the text was typed, then the agent lost the terminal');
  if (!(await access.pressEnter(id, filled, 'named')))
    return unconfirmed('the text was typed, then its screen changed; Enter was not pressed');
  log('enter pressed', { delivery: id, press: 1 });
  return awaitGone(scene);
}

/** True if the label of the option shows the typed text. The label may wrap the text, or show only its beginning. */
function showsText(label: string, text: string): boolean {
  const bare = (value: string): string => value.replace(/[\s·…]+/g, '');
  return bare(label) !== '' && bare(text).startsWith(bare(label));
}

/**
 * Waits until the screen no longer changes and the question on it satisfies `isSo`. Returns the cursor; undefined after
 * a timeout.
 */
async function awaitStep(
  { access, wanted, asked, option }: Scene,
  isSo: (question: ScreenQuestion) => boolean,
): Promise<Cursor | undefined> {
  const { reader } = wanted;
  const deadline = performance.now() + STEP_MS;
  let last = '';
  let since = 0;
  for (;;) {
    const look = await access.look();
    if (!look.here || look.facts.inMode) return undefined;
    const question = reader.readQuestion(look.screen);
    const { cursor } = look.facts;
    const now = performance.now();
    const isStep = question !== undefined && isSame(question, asked, option) && isSo(question);
    const shown = isStep ? `${cursor.x},${cursor.y}\n${look.screen.lines.join('\n')}` : '';
    if (shown === '' || shown !== last) since = now;
    else if (now - since >= reader.settleMs) return cursor;
    last = shown;
    if (now >= deadline) return undefined;
    await sleep(Math.max(5, Math.min(reader.settleMs, 50)));
  }
}

/**
 * True if the two questions are the same. The label of the chosen option is not compared, because text that was typed
 * into the option replaces the label.
 */
function isSame(seen: ScreenQuestion, asked: ScreenQuestion, option: number): boolean {
  const rest = ({ text, options }: ScreenQuestion): string =>
    JSON.stringify([text, options.filter(({ number }) => number !== option)]);
  return seen.fingerprint === asked.fingerprint || rest(seen) === rest(asked);
}

/** Waits until the question is gone. The answer also counts as typed if the whole pane is gone. */
async function awaitGone({ access, wanted, asked, option }: Scene): Promise<DeliveryOutcome> {
  const deadline = performance.now() + GONE_MS;
  const pace = createPace(30, 100);
  for (let clear = 0; ; ) {
    const look = await access.look();
    if (!look.here)
      return look.reason === 'wrong_server' ? unconfirmed('tmux is gone') : { verdict: 'typed', enters: 0 };
    const question = wanted.reader.readQuestion(look.screen);
    clear = question !== undefined && isSame(question, asked, option) ? 0 : clear + 1;
    if (clear === GLANCES) return { verdict: 'typed', enters: 0 };
    if (performance.now() >= deadline) return unconfirmed('its question is still there');
    await sleep(pace());
  }
}

/**
 * Runs `work`, which presses a key. Never throws: if a request in `work` fails, a key may already have been pressed, so
 * the outcome is `unconfirmed`.
 */
async function afterKey<T extends DeliveryOutcome | undefined>(work: () => Promise<T>): Promise<T | DeliveryOutcome> {
  try {
    return await work();
  } catch (error) {
    return unconfirmed(errorMessage(error));
  }
}
