import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, DeliveryOutcome } from '../../src/app/ports/terminal.ts';
import type { PracticeAgent } from './practice-agent.ts';
import type { Profile, Scene } from './profile.ts';
import type { AgentRequest } from './stage.ts';
import type { Sample } from './texts.ts';
import { attempt, tryDelivery } from './trial.ts';
import { until } from './until.ts';

/**
 * A text that makes the agent ask for permission at once. If Baton pressed Enter too late or a second time, that key
 * press would grant the permission.
 */
const ASKING = ' [[practice:dialog Bash(rm -rf build)]]';
const asking = ({ size, text, expected }: Sample): Sample => ({
  size,
  text: `${text}${ASKING}`,
  expected: `${expected}${ASKING}`,
});

/** Sends one agent one prompt after another. Every fourth prompt opens a dialog. */
const straight =
  (wish: (pane: number) => AgentRequest): Profile =>
  async ({ stage, profile, plant, texts, pane, keep }, count) => {
    const agent = await stage.startAgent(wish(pane));
    for (let turn = 0; turn < count; turn++) {
      await agent.ready();
      const sample = texts();
      const asks = turn % 4 === 3 && sample.size !== '1 B';
      keep(await tryDelivery({ profile, plant, agent, sample: asks ? asking(sample) : sample }));
      await agent.recover();
    }
  };

export const claude = straight(() => ({}));

/**
 * The client in this test profile treats an Enter within 120 ms after other input as a line break. So Baton waits 160
 * ms before it presses Enter.
 */
export const burst = straight(() => ({ behaviour: { burstMs: 120 }, settleMs: 160 }));

/**
 * Delivers to two kinds of slow clients, in alternating panes. One kind accepts a prompt only 1.5 s after Enter. The
 * other kind handles every key 1.5 s late.
 */
export const slow = straight((pane) => ({
  behaviour: pane % 2 === 0 ? { acceptDelayMs: 1500 } : { echoDelayMs: 1500 },
}));

/** Kills Baton during each delivery. After its restart, Baton repeats the delivery with the same id. */
export const crash: Profile = async (scene, count) => {
  const { stage, profile, plant, texts, keep } = scene;
  const agent = await stage.startAgent();
  for (let turn = 0; turn < count; turn++) {
    await agent.ready();
    const act = DEATHS[turn % DEATHS.length] as Death;
    const again = async (delivery: Delivery): Promise<DeliveryOutcome> => {
      await act(scene, agent, delivery);
      return attempt(agent.terminal, agent, delivery);
    };
    keep(await tryDelivery({ profile, plant, agent, sample: texts(), act: again }));
    await agent.recover();
  }
};

type Death = (scene: Scene, agent: PracticeAgent, delivery: Delivery) => Promise<void>;

/**
 * Simulates the death of Baton at the given moment by closing the terminal adapter. A closed adapter sends nothing more
 * to tmux.
 */
async function dieAt(
  moment: 'pasted' | 'enter pressed',
  { stage, plant }: Scene,
  agent: PracticeAgent,
  delivery: Delivery,
) {
  const close = async () => terminal.close();
  const late = plant === 'mark_after_paste' && moment === 'pasted' ? { sabotage: { beforeMark: close } } : {};
  const log = (message: string) => void (message === moment && close());
  const terminal = stage.makeTerminal({ log, ...late });
  await attempt(terminal, agent, delivery);
  await terminal.close();
}

/** Plays an operator who finds Baton's text in the composer, and presses Enter before Baton restarts. */
async function operatorSends(agent: PracticeAgent): Promise<void> {
  const before = agent.logged('submitted').length;
  await until('our draft', () => agent.shows('draft'));
  await agent.typeAsOperator(1, 'Enter');
  await until('the submission', () => agent.logged('submitted').length > before);
  await agent.ready();
}

const DEATHS: readonly Death[] = [
  (scene, agent, delivery) => dieAt('pasted', scene, agent, delivery),
  async (scene, agent, delivery) => {
    await dieAt('pasted', scene, agent, delivery);
    await operatorSends(agent);
  },
  async ({ stage }, agent, delivery) => {
    const terminal = stage.makeTerminal();
    await terminal.connect();
    const first = attempt(terminal, agent, delivery);
    await sleep(Math.random() * 150);
    await terminal.close();
    await first;
  },
  (scene, agent, delivery) => dieAt('enter pressed', scene, agent, delivery),
];
