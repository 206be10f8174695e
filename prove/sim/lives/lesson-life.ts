import { acceptLesson, discardLesson } from '../../../src/app/personas/decide-lesson.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import { LESSON_STATES, type Lesson } from '../../../src/domain/personas/lesson.ts';
import { Dice } from '../dice.ts';
import type { World } from '../world.ts';

const AGAIN_MS = 2_000;
const MAX_LESSONS = 100;

/**
 * The lessons and open points of one simulated world. Every document has a lesson and an open point. A person accepts
 * or discards each lesson, and Baton is killed meanwhile. At the end this class judges whether any lesson or point
 * was lost or doubled.
 */
export class LessonLife {
  private readonly world: World;
  private readonly dice: Dice;
  private readonly decided = new Map<number, 'accept' | 'discard'>();

  constructor(world: World, seed: number) {
    this.world = world;
    this.dice = new Dice(seed ^ 0x51ab3c7);
  }

  /** The sections that the agent adds to its document. */
  sectionsOf(agentId: number): string {
    return `\n## Next steps\n- Step of agent ${agentId}\n## Lessons\n- Lesson of agent ${agentId}\n`;
  }

  /** Called after each commit: lets a person decide about each new lesson. */
  observe(): void {
    for (const { id, state } of this.lessons()) {
      if (state !== 'offered' || this.decided.has(id)) continue;
      this.decided.set(id, this.dice.next() < 0.8 ? 'accept' : 'discard');
      this.world.timeline.in(this.dice.between(1, 500), () => this.decide(id));
    }
  }

  /**
   * Lets a person click again and again until Baton has stored the decision about the lesson. Often Baton is killed
   * shortly after a click.
   */
  private decide(id: number): void {
    const { world, dice } = this;
    if (this.lessons().find((lesson) => lesson.id === id)?.state !== 'offered') return;
    world.timeline.in(AGAIN_MS, () => this.decide(id));
    if (!world.baton?.isUp) return;
    if (!world.isCalm && dice.next() < 0.7) world.timeline.in(dice.between(0, 40), () => this.kill());
    void this.send(world.baton.ports, id).catch(() => undefined);
  }

  private send(ports: Ports, id: number): Promise<unknown> {
    return this.decided.get(id) === 'accept' ? acceptLesson(ports, id, undefined) : discardLesson(ports, id);
  }

  private kill(): void {
    const { world } = this;
    if (world.isCalm) return;
    if (this.lessons().some(({ state }) => state === 'accepting')) world.saw('killed_while_a_lesson_was_accepted');
    world.kill('an accepted lesson');
  }

  private lessons(): readonly Lesson[] {
    return this.world.store.read((tx) => tx.lessonsOfPersona(1, LESSON_STATES, MAX_LESSONS));
  }

  /** Returns whether a lesson is not yet decided, or is accepted but not yet written to experience.md. */
  isPending(): boolean {
    return this.lessons().some(({ state }) => state === 'offered' || state === 'accepting');
  }

  /** Checks that experience.md has each accepted lesson once and no other lesson, and that no open point is missing. */
  judgeEnd(): void {
    const { world } = this;
    for (const { id, state, text } of this.lessons()) {
      const times = world.disk.experience.split(`${text} (`).length - 1;
      const wanted = state === 'accepted' ? 1 : 0;
      if (state === 'accepted') world.saw('lesson_accepted');
      if (state === 'discarded') world.saw('lesson_discarded');
      if (times > wanted) world.offend(`doubled: experience.md has lesson ${id} (${state}) ${times} times`);
      if (times < wanted) world.offend(`lost: experience.md lacks lesson ${id}, which is accepted`);
    }
    for (const { id, agentId, knowledge, successorAgentId } of world.runs()) {
      if (successorAgentId === null || knowledge === null) continue;
      // Use the persona of the run's agent, because the operator may also hand off agents of other personas.
      const personaId = world.row(agentId)?.personaId ?? 1;
      for (const { text } of knowledge.points)
        if (!world.store.read((tx) => tx.pointsOfPersona(personaId, MAX_LESSONS)).some((point) => point.text === text))
          world.offend(`lost: the point "${text}" of run ${id} is neither open nor closed`);
    }
  }
}
