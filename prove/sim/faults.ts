import type { Step } from '../../src/domain/handoffs/run.ts';
import type { SimAgent } from './agent.ts';
import type { Habits } from './habits.ts';
import type { HookFate } from './spool.ts';
import type { World } from './world.ts';

/** How the outgoing agents and the successors behave in the simulated world of this seed. */
export interface Cast {
  readonly outgoing: Habits;
  readonly successor: Habits;
}

export interface Fault {
  readonly name: string;
  /** The numbers, such as `F1 F3`, under which docs/reliability/faults.md describes this fault. */
  readonly rows: string;
  readonly weight: number;
  readonly arm: (world: World, cast: Cast) => void;
}

const OUTGOING: readonly Step[] = ['requested', 'waiting_safe_point', 'instructing', 'awaiting_document', 'verifying'];
const LEAVING: readonly Step[] = ['recorded', 'shutting_down'];
const SUCCESSOR: readonly Step[] = [
  'creating_successor',
  'awaiting_registration',
  'injecting_skill',
  'delivering_prompt',
  'awaiting_acknowledgement',
];
const ANY: readonly Step[] = [...OUTGOING, ...LEAVING, ...SUCCESSOR];

/** Calls `act` some time after a run has entered one of the given steps. */
function during(
  world: World,
  steps: readonly Step[],
  act: (agent: SimAgent | undefined) => void,
  withinMs = 2_500,
): void {
  const step = world.dice.pick(steps);
  const delay = world.dice.chance(0.3) ? 0 : world.dice.between(0, withinMs);
  world.moments.push({
    step,
    act: (run) => {
      world.timeline.in(delay, () => {
        if (world.isCalm) return;
        const now = world.store.read((tx) => tx.runById(run.id)) ?? run;
        act(world.agents.get(now.successorAgentId ?? now.agentId));
      });
    },
  });
}

/** The steps in which Baton is about to type into a terminal. */
const TYPING: readonly Step[] = [
  'instructing',
  'shutting_down',
  'awaiting_registration',
  'injecting_skill',
  'delivering_prompt',
];

/**
 * Calls `act` at once, or shortly after a run has entered one of the given steps. An immediate call happens before the
 * operator requests a handoff.
 */
function atOnceOr(world: World, steps: readonly Step[], act: (agent: SimAgent) => void): void {
  if (world.dice.chance(0.4)) for (const agent of world.agents.values()) act(agent);
  else during(world, steps, (agent) => agent && act(agent), 150);
}

const KILL_AT = [
  'deliver:look:',
  'deliver:stage:',
  'deliver:pasted:',
  'deliver:settle:',
  'deliver:entered:',
  'type_instruction:',
  'type_exit:',
  'type_injection:',
  'prime_agent:',
  'launch',
  'check:',
  'check_document:',
  'compare_document:',
  'check_successor_can_start:',
  'prepare',
  'confirm_prompt:',
  'spool:committed',
  'remove:',
  'recovery:',
  'notify:after',
  'interrupt:',
  'end:',
  'store:before',
  'store:after',
  '',
] as const;

function killSomewhere(world: World): void {
  const { dice } = world;
  const at = dice.pick(KILL_AT);
  const many = at === '' || at.startsWith('store') ? 250 : at.startsWith('remove') || at.startsWith('spool') ? 25 : 4;
  world.kills.push({ at, nth: dice.between(1, many) });
  world.downtimes.push(dice.chance(0.2) ? dice.between(15_000, 200_000) : dice.between(50, 3_000));
}

const hooks = (fate: HookFate, share: number, events?: readonly string[]) => (world: World) => {
  const before = world.spool.fateOf;
  world.spool.fateOf = (agent, event) =>
    (events === undefined || events.includes(event)) && world.dice.chance(share) ? fate : before(agent, event);
};

const outgoing = (change: (habits: Habits, world: World) => void) => (world: World, cast: Cast) =>
  change(cast.outgoing, world);
const successor = (change: (habits: Habits, world: World) => void) => (world: World, cast: Cast) =>
  change(cast.successor, world);

const handoff = (name: string, rows: string, habit: Habits['handoffTurn'], weight = 1): Fault => ({
  name,
  rows,
  weight,
  arm: outgoing((habits) => {
    habits.handoffTurn = habit;
  }),
});

/**
 * All faults of the simulation. Each seed picks a few of them at random. A fault with a higher weight is picked more
 * often.
 */
export const FAULTS: readonly Fault[] = [
  { name: 'kill', rows: 'F1 F3', weight: 14, arm: killSomewhere },
  {
    name: 'kill during recovery',
    rows: 'F3',
    weight: 2,
    arm: (world) => {
      killSomewhere(world);
      const at = world.dice.pick(['recovery:released', 'recovery:drained', 'connect:before', 'list:after']);
      // Kill the next Baton while it starts. Without `onlyAtStart`, the plan could kill the running Baton, because each
      // reconcile also passes the point `list:after`.
      world.kills.push({ at, nth: 1, onlyAtStart: true });
    },
  },
  {
    name: 'down while it happens',
    rows: 'F36',
    weight: 4,
    arm: (world) => {
      world.downtimes.unshift(world.dice.between(20_000, 180_000));
      during(world, ANY, () => world.kill('a chosen step'));
    },
  },
  {
    name: 'hooks lost',
    rows: 'F22',
    weight: 4,
    arm: hooks('lost', 0.35, [
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Stop',
      'SessionEnd',
      'PermissionRequest',
    ]),
  },
  { name: 'stops lost', rows: 'F22', weight: 3, arm: hooks('lost', 1, ['Stop']) },
  { name: 'prompt hooks lost', rows: 'F16', weight: 3, arm: hooks('lost', 1, ['UserPromptSubmit', 'PreToolUse']) },
  { name: 'tool hooks lost', rows: 'F22', weight: 2, arm: hooks('lost', 1, ['PreToolUse', 'PostToolUse']) },
  {
    name: 'slow transcript',
    rows: 'F21',
    weight: 2,
    arm: outgoing((habits) => {
      habits.transcriptLagMs = 15_000;
    }),
  },
  { name: 'session start lost', rows: 'F38', weight: 1, arm: hooks('lost', 1, ['SessionStart']) },
  { name: 'hooks doubled', rows: 'F23', weight: 3, arm: hooks('doubled', 0.5) },
  { name: 'hooks late', rows: 'F23', weight: 3, arm: hooks('late', 0.3) },
  { name: 'hooks replayed', rows: 'F23', weight: 3, arm: hooks('replayed', 0.5) },
  { name: 'hooks forged', rows: 'F41', weight: 1, arm: hooks('forged', 0.5) },
  { name: 'nested agent', rows: 'F41', weight: 1, arm: hooks('nested', 0.5) },
  { name: 'spool full', rows: 'F36', weight: 1, arm: hooks('overflows', 0.3, ['Stop', 'PreToolUse', 'PostToolUse']) },
  {
    name: 'store refuses for a while',
    rows: 'F5 F6',
    weight: 3,
    arm: (world) =>
      during(world, ANY, () => {
        world.storeRefusesUntilMs = world.timeline.nowMs + world.dice.between(10, 30_000);
      }),
  },
  {
    name: 'store refuses now and then',
    rows: 'F5 F6',
    weight: 3,
    arm: (world) => {
      for (let n = 0; n < 4; n++)
        during(world, ANY, () => {
          world.storeRefusals += world.dice.between(1, 4);
        });
    },
  },
  {
    name: 'store refuses the click',
    rows: 'F5',
    weight: 1,
    arm: (world) => {
      world.storeRefusesUntilMs = world.timeline.nowMs + 3_000;
    },
  },
  {
    name: 'slow machine',
    rows: 'F37',
    weight: 3,
    arm: (world) => {
      world.slowIo = 0.3;
    },
  },
  {
    name: 'clock jumps',
    rows: 'F35',
    weight: 4,
    arm: (world) => {
      const by = world.dice.pick([-86_400_000, -3_600_000, -90_000, 90_000, 3_600_000, 86_400_000]);
      during(world, ANY, () => {
        world.tell(`the clock jumps by ${by} ms`);
        world.wallOffsetMs += by;
        world.saw(by > 0 ? 'clock_jumped_forward' : 'clock_jumped_back');
      });
    },
  },
  {
    name: 'tmux hangs',
    rows: 'F9',
    weight: 2,
    arm: (world) =>
      during(world, ANY, () => {
        const forMs = world.dice.between(500, 40_000);
        world.tell(`tmux hangs for ${forMs} ms`);
        world.tmux.hungUntilMs = world.timeline.nowMs + forMs;
        if (forMs > 8_000) world.blame(0, 'tmux_hung');
        world.saw('tmux_hung_in_a_run');
      }),
  },
  {
    name: 'tmux server killed',
    rows: 'F10 F46',
    weight: 2,
    arm: (world) =>
      during(world, ANY, () => {
        world.blame(0, 'server_killed');
        world.saw('tmux_server_killed_in_a_run');
        world.tmux.killServer(world.dice.chance(0.6));
      }),
  },
  {
    name: 'pane killed',
    rows: 'F11',
    weight: 2,
    arm: (world) =>
      during(world, ANY, (agent) => {
        if (agent === undefined) return;
        world.blame(agent.agentId, 'pane_killed');
        agent.die('somebody killed its pane');
      }),
  },
  {
    name: 'pane remains',
    rows: 'F12',
    weight: 1,
    arm: outgoing((habits) => {
      habits.paneRemains = true;
    }),
  },
  {
    name: 'launch unanswered',
    rows: 'F9 F38',
    weight: 2,
    arm: (world) => {
      world.tmux.unansweredLaunches = Array.from({ length: world.dice.between(1, 5) }, () => world.dice.chance(0.7));
      if (world.tmux.unansweredLaunches.length > 3) world.blame(0, 'launch_unanswered');
    },
  },
  {
    name: 'copy mode',
    rows: 'F13',
    weight: 3,
    arm: (world) => {
      const forMs = world.dice.chance(0.8) ? world.dice.between(200, 12_000) : 150_000;
      atOnceOr(world, ANY, (agent) => world.operator.reads(agent, forMs));
    },
  },
  {
    name: 'draft',
    rows: 'F15',
    weight: 3,
    arm: (world) => {
      const forMs = world.dice.chance(0.8) ? world.dice.between(200, 12_000) : 150_000;
      atOnceOr(world, TYPING, (agent) => world.operator.drafts(agent, forMs));
    },
  },
  {
    name: 'enter swallowed',
    rows: 'F17',
    weight: 2,
    arm: (world, cast) => {
      const purpose = world.dice.pick(['instruction', 'skill', 'injection', 'exit'] as const);
      const habits = purpose === 'instruction' || purpose === 'exit' ? cast.outgoing : cast.successor;
      habits.swallowedEnters[purpose] = world.dice.between(1, 2);
    },
  },
  {
    name: 'all enters swallowed',
    rows: 'F17',
    weight: 1,
    arm: (world, cast) => {
      const purpose = world.dice.pick(['instruction', 'skill', 'injection', 'exit'] as const);
      const habits = purpose === 'instruction' || purpose === 'exit' ? cast.outgoing : cast.successor;
      habits.swallowedEnters[purpose] = world.dice.between(3, 40);
    },
  },
  {
    name: 'paste swallowed',
    rows: 'F16',
    weight: 1,
    arm: (world, cast) => {
      const purpose = world.dice.pick(['instruction', 'skill', 'injection'] as const);
      (purpose === 'instruction' ? cast.outgoing : cast.successor).swallowedPastes[purpose] = 1;
    },
  },
  {
    name: 'policy blocks',
    rows: 'F54',
    weight: 2,
    arm: (world, cast) => {
      const purpose = world.dice.pick(['instruction', 'skill', 'injection'] as const);
      (purpose === 'instruction' ? cast.outgoing : cast.successor).blocks = purpose;
    },
  },
  {
    name: 'busy',
    rows: 'F20',
    weight: 3,
    arm: (world) => {
      for (const agent of world.agents.values()) world.operator.prompts(agent, 'do some work');
    },
  },
  {
    name: 'never rests',
    rows: 'F20',
    weight: 1,
    arm: (world) => {
      for (const agent of world.agents.values()) {
        world.operator.prompts(agent, 'work for ever');
        world.blame(agent.agentId, 'never_rests');
      }
    },
  },
  {
    name: 'operator types in between',
    rows: 'F20 F21',
    weight: 2,
    // The operator sends another prompt. If the agent is working, the client queues the prompt.
    arm: (world) =>
      during(world, ANY, (agent) => {
        if (agent?.turn === undefined) agent && world.operator.prompts(agent, 'and another thing');
        else world.operator.queues(agent, 'and another thing');
      }),
  },
  {
    name: 'interrupt',
    rows: 'F20',
    weight: 2,
    arm: (world) =>
      during(
        world,
        ['awaiting_document', 'injecting_skill', 'awaiting_acknowledgement'],
        (agent) => agent?.interrupt(),
        1_500,
      ),
  },
  {
    name: 'clear',
    rows: 'F40',
    weight: 2,
    arm: (world) =>
      atOnceOr(world, ANY, (agent) => {
        if (agent.alive && agent.screen.kind === 'ready') {
          world.tell(`operator clears agent ${agent.agentId}`);
          world.saw('cleared_during_the_run');
          agent.clear();
        }
      }),
  },
  {
    name: 'clear that nobody hears of',
    rows: 'F40 F22',
    weight: 2,
    arm: (world) => {
      const before = world.spool.fateOf;
      hooks('lost', 1, ['SessionStart'])(world);
      for (const agent of world.agents.values())
        if (agent.alive && agent.screen.kind === 'ready') {
          agent.clear();
          world.saw('cleared_unheard');
        }
      // Lose no further hooks, because the successor's SessionStart hook must arrive. This fault loses only the
      // SessionStart hook after /clear.
      world.spool.fateOf = before;
    },
  },
  {
    name: 'shell',
    rows: 'F14',
    weight: 2,
    arm: (world) =>
      during(world, ANY, (agent) => {
        if (!agent?.alive) return;
        const forMs = world.dice.chance(0.5) ? world.dice.between(200, 15_000) : undefined;
        if ((forMs ?? 15_000) > 8_000) world.blame(agent.agentId, 'left_a_shell');
        agent.leaveTerminal();
        if (forMs !== undefined)
          agent.later(forMs, () => {
            agent.ownsTerminal = true;
          });
      }),
  },
  {
    name: 'hides its work',
    rows: 'F22',
    weight: 3,
    arm: (world, cast) => {
      cast.outgoing.hidesWork = 'as_rest';
      cast.successor.hidesWork = world.dice.chance(0.5) ? 'as_rest' : 'no';
    },
  },
  {
    name: 'keeps no status',
    rows: 'F22',
    weight: 2,
    arm: (world, cast) => {
      cast.outgoing.keepsStatus = false;
      cast.outgoing.hidesWork = world.dice.pick(['no', 'as_rest', 'unreadably']);
      cast.successor.keepsStatus = world.dice.chance(0.5);
    },
  },
  {
    name: 'asks in the handoff turn',
    rows: 'F19',
    weight: 3,
    arm: outgoing((habits) => {
      habits.asksInHandoffTurn = true;
    }),
  },
  {
    name: 'slow to answer',
    rows: 'F19',
    weight: 2,
    arm: (world, cast) => {
      if (world.dice.chance(0.5)) cast.outgoing.asksInHandoffTurn = true;
      else cast.successor.skillTurn = 'asks';
      world.operator.answersAfterMs = [125_000, 200_000];
    },
  },
  {
    name: 'compaction',
    rows: 'F53',
    weight: 2,
    arm: outgoing((habits) => {
      habits.compacts = true;
    }),
  },
  handoff('ignores', 'F26', 'ignores'),
  handoff('wrong path', 'F28', 'wrong_path'),
  handoff('empty', 'F27', 'empty'),
  handoff('link', 'F32', 'link', 0.4),
  handoff('folder', 'F32', 'folder', 0.4),
  handoff('huge', 'F32', 'huge', 0.4),
  handoff('no marker', 'F27', 'no_marker'),
  handoff('in parts', 'F29', 'in_parts', 3),
  handoff('in background', 'F25', 'in_background', 2),
  handoff('after the stop', 'F30', 'after_the_stop'),
  handoff('api error', 'F24', 'api_error'),
  handoff('crash before', 'F31', 'crash_before'),
  handoff('crash between parts', 'F31', 'crash_between_parts'),
  handoff('crash after', 'F31', 'crash_after', 1.5),
  handoff('hangs', 'F26', 'hangs'),
  {
    name: 'exit ignored',
    rows: 'F44',
    weight: 1,
    arm: outgoing((habits) => {
      habits.exit = 'ignores';
    }),
  },
  {
    name: 'exit slow',
    rows: 'F44',
    weight: 1,
    arm: outgoing((habits) => {
      habits.exit = 'slowly';
    }),
  },
  {
    name: 'exit to a shell',
    rows: 'F14',
    weight: 1,
    arm: outgoing((habits) => {
      habits.exit = 'to_a_shell';
    }),
  },
  {
    name: 'no session end',
    rows: 'F44',
    weight: 1,
    arm: outgoing((habits) => {
      habits.sessionEnds = false;
    }),
  },
  {
    name: 'successor ends at once',
    rows: 'F38',
    weight: 1,
    arm: successor((habits, { dice }) => {
      habits.start = dice.pick(['ends_at_once', 'fails_to_run']);
    }),
  },
  {
    name: 'successor never starts',
    rows: 'F38',
    weight: 1,
    arm: successor((habits) => {
      habits.start = 'never';
    }),
  },
  {
    name: 'trust dialog',
    rows: 'F39',
    weight: 2,
    arm: successor((habits) => {
      habits.start = 'dialog';
    }),
  },
  {
    name: 'session starts again',
    rows: 'F40',
    weight: 3,
    arm: successor((habits, { dice }) => {
      habits.sessionStartsAgain = dice.pick(['compact', 'resume', 'clear']);
    }),
  },
  {
    name: 'skill absent',
    rows: 'F42',
    weight: 1,
    arm: ({ disk }) => {
      disk.skillAbsent = true;
    },
  },
  {
    name: 'skill turn',
    rows: 'F42',
    weight: 3,
    arm: successor((habits, { dice }) => {
      habits.skillTurn = dice.pick(['api_error', 'crash', 'asks', 'long']);
    }),
  },
  {
    name: 'injection turn',
    rows: 'F43',
    weight: 2,
    arm: successor((habits, { dice }) => {
      habits.injectionTurn = dice.pick(['api_error', 'crash']);
    }),
  },
  {
    name: 'acknowledgement',
    rows: 'F43',
    weight: 3,
    arm: successor((habits, { dice }) => {
      habits.acknowledges = dice.pick(['never', 'wrongly', 'late']);
    }),
  },
  {
    name: 'document removed or changed',
    rows: 'F29',
    weight: 2,
    arm: (world) =>
      during(
        world,
        ['shutting_down', 'creating_successor', 'injecting_skill'],
        () => {
          for (const run of world.runsInFlight().filter(({ handoffId }) => handoffId !== null)) {
            const path = run.document?.absolutePath ?? '';
            if (world.dice.chance(0.5)) world.disk.documents.delete(path);
            else world.disk.write(path, `${world.disk.documents.get(path)?.text ?? ''}\nafterthought`);
          }
        },
        200,
      ),
  },
  {
    name: 'project gone',
    rows: 'F38',
    weight: 1,
    arm: (world) =>
      during(world, OUTGOING, () => {
        world.disk.projectGone = true;
        world.blame(0, 'project_gone');
      }),
  },
  {
    name: 'cancel',
    rows: 'F45',
    weight: 4,
    arm: (world) =>
      during(
        world,
        [...OUTGOING, ...OUTGOING, 'shutting_down', 'awaiting_acknowledgement'],
        () => {
          const [run] = world.runsInFlight();
          if (run !== undefined) world.operator.cancel(run.id, world);
        },
        600,
      ),
  },
  {
    name: 'cancel while the composer is awaited',
    rows: 'F20 F45',
    weight: 2,
    arm: (world) =>
      world.moments.push({
        step: 'instructing',
        act: (run) => {
          const agent = world.agents.get(run.agentId);
          if (agent !== undefined) world.operator.prompts(agent, 'one more thing');
          world.timeline.in(world.dice.between(50, 900), () => world.operator.cancel(run.id, world));
        },
      }),
  },
  {
    name: 'operator acts',
    rows: 'F33 F45',
    weight: 6,
    arm: (world) => {
      for (let n = 0; n < 3; n++) during(world, ANY, () => world.operator.actAtRandom(), 6_000);
    },
  },
];
