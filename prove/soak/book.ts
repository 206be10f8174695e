/** One message from the operator to an agent, and Baton's verdict on the message. */
export interface Sent {
  readonly mark: string;
  readonly text: string;
  readonly agentId: number;
  /** 1 for a message before the reboot, 2 for a message after the reboot. */
  readonly life: number;
  readonly place: string;
  /** `unanswered` means that the server died before it answered. */
  verdict: 'accepted' | 'refused' | 'unconfirmed' | 'unanswered';
  reason: string;
}

type Task = (mark: string) => string;

/** A folder inside the agent's working directory. The messages ask the agent to write files into this folder. */
export const FILES = 'soak';

const write: Task = (mark) => `[[practice:write ${FILES}/${mark}.txt ${mark}]]`;
const TASKS: readonly (readonly Task[])[] = [
  [write],
  [(mark) => `Say something about ${mark}.\n  "quotes"; $HOME \`x\`\nünïcödé 日本 🙂 [[practice:say done]]`],
  [(mark) => `${write(mark)} [[practice:slow 300]]`],
  // Two messages for one turn: the soak sends both to the agent at the same time. Baton must refuse one of them or let
  // it wait.
  [write, (mark) => `[[practice:say ${mark}]]`],
  [(mark) => `[[practice:bash mkdir -p ${FILES} && echo ${mark} > ${FILES}/${mark}.txt]]`],
  [(mark) => `Do the next step of PLAN.md (${mark}).`],
  // A slow task: the next message arrives while the agent is still busy.
  [(mark) => `[[practice:slow 700]] ${write(mark)}`],
];
/**
 * The index of the task that uses a fifth of the context. The soak sends this task only in its first PLAN_TIMES rounds,
 * so that the context does not fill up.
 */
const PLAN_TASK = 5;
const PLAN_TIMES = 2;

export class Book {
  readonly sent: Sent[] = [];
  life = 1;

  /**
   * Returns the tasks for one agent in this turn. If there are several tasks, the soak sends all of them at the same
   * time.
   */
  tasks(turn: number): readonly Task[] {
    const at = turn % TASKS.length;
    const isDear = at === PLAN_TASK && turn >= PLAN_TIMES * TASKS.length;
    return TASKS[isDear ? 0 : at] ?? [];
  }

  /** Records a message before it is sent. */
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
