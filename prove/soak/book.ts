/** What the operator said to whom, and what he was told became of it. */
export interface Sent {
  readonly mark: string;
  readonly text: string;
  readonly agentId: number;
  /** Before the reboot, or after it. */
  readonly life: number;
  readonly place: string;
  /** unanswered: the server died before it said a word. */
  verdict: 'accepted' | 'refused' | 'unconfirmed' | 'unanswered';
  reason: string;
}

type Task = (mark: string) => string;

/** Where the files of the messages lie, in the folder of whoever was asked. */
export const FILES = 'soak';

const write: Task = (mark) => `[[practice:write ${FILES}/${mark}.txt ${mark}]]`;
const TASKS: readonly (readonly Task[])[] = [
  [write],
  [(mark) => `Say something about ${mark}.\n  "quotes"; $HOME \`x\`\nünïcödé 日本 🙂 [[practice:say done]]`],
  [(mark) => `${write(mark)} [[practice:slow 300]]`],
  // Two at once: at least one of them is refused or waits for its turn.
  [write, (mark) => `[[practice:say ${mark}]]`],
  [(mark) => `[[practice:bash mkdir -p ${FILES} && echo ${mark} > ${FILES}/${mark}.txt]]`],
  [(mark) => `Do the next step of PLAN.md (${mark}).`],
  // Said to one who is still busy with the message before.
  [(mark) => `[[practice:slow 700]] ${write(mark)}`],
];
/** Costs a fifth of the context: some times, not all day. */
const PLAN_TASK = 5;
const PLAN_TIMES = 2;

export class Book {
  readonly sent: Sent[] = [];
  life = 1;

  /** What is said at the same time in this turn of a place. */
  tasks(turn: number): readonly Task[] {
    const at = turn % TASKS.length;
    const isDear = at === PLAN_TASK && turn >= PLAN_TIMES * TASKS.length;
    return TASKS[isDear ? 0 : at] ?? [];
  }

  /** Written down before it is said. */
  enter(task: Task, { place, agentId }: Pick<Sent, 'place' | 'agentId'>): Sent {
    const mark = `soak-${String(this.sent.length + 1).padStart(6, '0')}`;
    const sent: Sent = {
      ...{ mark, text: task(mark), agentId, place, life: this.life },
      ...{ verdict: 'unanswered', reason: '' },
    };
    this.sent.push(sent);
    return sent;
  }

  count(verdict: Sent['verdict']): number {
    return this.sent.filter((sent) => sent.verdict === verdict).length;
  }
}
