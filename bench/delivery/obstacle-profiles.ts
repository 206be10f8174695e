import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PracticeAgent } from './practice-agent.ts';
import type { Profile, Scene } from './profile.ts';
import type { Stage } from './stage.ts';
import { atDraft, atReady, type TrialPlan, tryDelivery } from './trial.ts';
import { until } from './until.ts';

type Variant = (scene: Scene, agent: PracticeAgent) => Promise<Partial<TrialPlan>>;

interface Obstacle {
  readonly reasons: readonly string[];
  readonly behaviour?: Readonly<Record<string, unknown>>;
  readonly variants: readonly Variant[];
  /**
   * Removes the obstacle (such as a dialog or a draft) as an operator would, and waits until the agent's composer is
   * empty.
   */
  readonly clear: (scene: Scene, agent: PracticeAgent) => Promise<void>;
}

const withObstacle =
  ({ reasons, behaviour = {}, variants, clear }: Obstacle): Profile =>
  async (scene, count) => {
    const { stage, profile, plant, texts, keep } = scene;
    const agent = await stage.startAgent({ behaviour });
    for (let turn = 0; turn < count; turn++) {
      await agent.ready();
      const special = await (variants[turn % variants.length] as Variant)(scene, agent);
      keep(await tryDelivery({ profile, plant, agent, sample: texts(), obstacle: reasons, ...special }));
      await clear(scene, agent);
    }
  };

/**
 * Waits without giving control back to the event loop. The callers run inside the synchronous function that reads the
 * screen, so they cannot wait in another way.
 */
function blockUntil(probe: () => boolean): void {
  const deadline = performance.now() + 3000;
  while (!probe() && performance.now() < deadline);
}

const shows = (stage: Stage, agent: PracticeAgent, text: string) =>
  stage.tmux('capture-pane', '-p', '-t', agent.pane.paneId).includes(text);

function openDialog(stage: Stage, agent: PracticeAgent): void {
  process.kill(agent.pane.panePid, 'SIGUSR2');
  blockUntil(() => shows(stage, agent, 'Do you want to proceed?'));
}

export const dialog = withObstacle({
  reasons: ['dialog'],
  behaviour: { signalDialog: 'Bash(rm -rf build)' },
  variants: [
    async ({ stage }, agent) => {
      openDialog(stage, agent);
      return {};
    },
    async ({ stage }, agent) => ({ reader: atReady(agent.reader, () => openDialog(stage, agent)) }),
    async ({ stage }, agent) => ({
      reader: atDraft(agent.reader, () => openDialog(stage, agent)),
      obstacleComesLate: true,
    }),
  ],
  clear: async (_, agent) => {
    if (agent.asks) await agent.decline();
    await agent.clear();
  },
});

const HALF = 'half a thought';

export const draft = withObstacle({
  reasons: ['draft'],
  variants: [
    async ({ stage }, agent) => {
      await agent.typeAsOperator(HALF.length, '-l', HALF);
      // Wait until the client has drawn the typed text, because Baton cannot see the text earlier.
      await until('the draft', () => shows(stage, agent, HALF));
      return {};
    },
    async ({ stage }, agent) => ({
      reader: atReady(agent.reader, () => {
        agent.typeAtOnce(HALF.length, '-l', HALF);
        blockUntil(() => shows(stage, agent, HALF));
      }),
    }),
  ],
  clear: async ({ stage }, agent) => {
    if (!shows(stage, agent, `❯\u00a0${HALF}`)) throw new Error("the operator's draft was changed");
    await agent.clear();
  },
});

const copyMode = (stage: Stage, agent: PracticeAgent) => void stage.tmux('copy-mode', '-t', agent.pane.paneId);

export const copy = withObstacle({
  reasons: ['copy_mode'],
  variants: [
    async ({ stage }, agent) => {
      copyMode(stage, agent);
      return {};
    },
    async ({ stage }, agent) => ({ reader: atReady(agent.reader, () => copyMode(stage, agent)) }),
    async ({ stage }, agent) => ({
      reader: atDraft(agent.reader, () => copyMode(stage, agent)),
      obstacleComesLate: true,
    }),
  ],
  clear: async ({ stage }, agent) => {
    stage.tmux('send-keys', '-t', agent.pane.paneId, '-X', 'cancel');
    await agent.clear();
  },
});

/**
 * Starts one agent in each trial. Kills the agent between Baton's look at the screen and Baton's paste, or at a random
 * moment. In some trials the pane stays open after the kill.
 */
export const dying: Profile = async ({ stage, profile, plant, texts, keep }, count) => {
  for (let turn = 0; turn < count; turn++) {
    const agent = await stage.startAgent();
    await agent.ready();
    const { paneId, panePid } = agent.pane;
    if (turn % 3 !== 2) stage.tmux('set-option', '-p', '-t', paneId, 'remain-on-exit', 'on');
    const die = () => void process.kill(panePid, 'SIGKILL');
    // Run another child process of tmux (run-shell), because tmux 3.3a can miss the signal that a child has ended, but
    // checks all children again when another child ends.
    const isDead = () =>
      stage.tmux('run-shell', 'true', ';', 'display-message', '-p', '-t', paneId, '#{pane_dead}') !== '0';
    const inBetween = turn % 3 === 0;
    const reader = atReady(agent.reader, () => {
      die();
      blockUntil(isDead);
    });
    const timer = inBetween ? undefined : setTimeout(die, Math.random() * 120);
    const obstacle = ['agent_gone', 'pane_gone'];
    const plan = { profile, plant, agent, sample: texts(), obstacle, waitReceiptMs: 150 };
    const trial = await tryDelivery(inBetween ? { ...plan, reader } : { ...plan, obstacleComesLate: true });
    clearTimeout(timer);
    keep({ ...trial, crashedServer: stage.lookForCrash() });
    stage.tmux('kill-pane', '-t', paneId);
  }
};

const SHELL = { behaviour: { exit: 'shell' } };
const TOUCH = '\ntouch canary\n';

function fallToShell(agent: PracticeAgent): void {
  agent.typeAtOnce(6, '-l', '/exit');
  // Send Enter separately from the text, because a person presses Enter as a separate key.
  agent.typeAtOnce(0, 'Enter');
}

const showsPrompt = (stage: Stage, agent: PracticeAgent) =>
  /[$#%]\s*$/.test(stage.tmux('capture-pane', '-p', '-t', agent.pane.paneId));

/**
 * Ends the agent's process, so that a shell is in the foreground of the agent's pane. The shell would execute any text
 * that Baton typed.
 */
export const shell: Profile = async ({ stage, profile, plant, texts, keep }, count) => {
  let agent: PracticeAgent | undefined;
  for (let turn = 0; turn < count; turn++) {
    const sample = texts();
    const touching = { size: sample.size, text: `${sample.text}${TOUCH}`, expected: `${sample.expected}${TOUCH}` };
    const race = turn % 4 === 0;
    if (race || agent === undefined) {
      agent = await stage.startAgent(SHELL);
      await agent.ready();
    }
    const current = agent;
    const reader = atReady(current.reader, () => {
      fallToShell(current);
      blockUntil(() => current.logged('shell').length > 0 && showsPrompt(stage, current));
    });
    const plan = { profile, plant, agent: current, sample: touching, obstacle: ['agent_gone'] };
    const trial = await tryDelivery(race ? { ...plan, reader } : plan);
    const ran = existsSync(join(current.folder, 'canary')) || shows(stage, current, 'touch canary');
    keep(ran ? { ...trial, typedBytes: trial.typedBytes + TOUCH.length } : trial);
  }
};

/**
 * Ends the agent's tmux server before the delivery. Then starts a new tmux server, which gives the same pane id to
 * another agent, and delivers a second time.
 */
export const restart: Profile = async ({ stage, profile, plant, texts, keep }, count) => {
  for (let left = count; left > 0; ) {
    const agent = await stage.startAgent();
    await agent.ready();
    stage.killServer();
    const plan = () => ({ profile, plant, agent, sample: texts(), obstacle: ['wrong_server'] });
    keep(await tryDelivery(plan()));
    left -= 1;
    const stranger = await stage.startAgent();
    await stranger.ready();
    if (stranger.pane.paneId !== agent.pane.paneId) throw new Error('the pane id was not reissued');
    for (let turn = 0; turn < 3 && left > 0; turn++, left--) {
      keep(await tryDelivery({ ...plan(), bystander: stranger }));
    }
    stage.killServer();
  }
};

/**
 * Plays an operator's hook that blocks the prompt after Baton's hook has run. The client then puts the text back into
 * the composer.
 */
export const policy: Profile = async ({ stage, profile, plant, texts, keep }, count) => {
  const agent = await stage.startAgent({ policyHook: 'sleep 0.05; exit 2' });
  for (let turn = 0; turn < count; turn++) {
    await agent.ready();
    const plan = { profile, plant, agent, sample: texts(), obstacle: ['blocked'] };
    keep(await tryDelivery({ ...plan, obstacleComesLate: true, waitReceiptMs: 500 }));
    await until('the text to come back', () => agent.shows('draft'));
    await agent.clear();
  }
};
