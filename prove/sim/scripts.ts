import type { Beat, SimAgent, Turn } from './agent.ts';
import { noteWritten } from './judge/observe.ts';
import type { World } from './world.ts';

/** Returns the actions of an agent in one turn. The purpose of the prompt decides which actions these are. */
export function scriptFor(agent: SimAgent, turn: Turn, world: World): readonly Beat[] {
  switch (turn.purpose) {
    case 'skill':
      return skillTurn(agent, turn, world);
    case 'instruction':
      return handoffTurn(agent, turn, world);
    case 'injection':
      return injectionTurn(agent, turn, world);
    case 'package':
      return packageTurn(agent, turn, world);
    default:
      return workTurn(agent, turn, world);
  }
}

const beat = (afterMs: number, act: Beat['act']): Beat => ({ afterMs, act });

function tool(agent: SimAgent, turn: Turn, tool_name: string, ms: number, does: () => void = () => undefined): Beat[] {
  const about = { tool_name, prompt_id: turn.promptId };
  return [
    beat(50, () => agent.fire('PreToolUse', about)),
    beat(ms, () => {
      does();
      agent.fire('PostToolUse', about);
    }),
  ];
}

const stop = (agent: SimAgent, turn: Turn): Beat => beat(100, () => agent.endTurn(turn));

function skillTurn(agent: SimAgent, turn: Turn, world: World): Beat[] {
  const { dice } = world;
  switch (agent.habits.skillTurn) {
    case 'api_error':
      return [beat(dice.between(100, 900), () => failTurn(agent, turn, world))];
    case 'crash':
      return [
        beat(dice.between(100, 900), () => {
          world.blame(agent.agentId, 'crashed:skill');
          agent.die('it crashed in the skill turn');
        }),
      ];
    case 'asks':
      return [beat(200, 'asks'), stop(agent, turn)];
    case 'long':
      return [...tool(agent, turn, 'Read', dice.between(8_000, 20_000)), stop(agent, turn)];
    default:
      return [beat(dice.between(50, 1_500), () => agent.endTurn(turn))];
  }
}

function failTurn(agent: SimAgent, turn: Turn, world: World): void {
  world.blame(agent.agentId, `api_error:${turn.purpose}`);
  if (turn.purpose === 'instruction') world.saw('api_error_in_the_handoff_turn');
  if (turn.purpose === 'skill') world.saw('skill_turn_failed');
  agent.endTurn(turn, { failure: 'API Error: 529 overloaded' });
}

function workTurn(agent: SimAgent, turn: Turn, world: World): Beat[] {
  const { dice } = world;
  if (turn.text.includes('for ever')) return Array.from({ length: 60 }, () => tool(agent, turn, 'Bash', 20_000)).flat();
  const tools = Array.from({ length: dice.between(0, 3) }, () => tool(agent, turn, 'Edit', dice.between(50, 4_000)));
  return [...tools.flat(), stop(agent, turn)];
}

function packageTurn(agent: SimAgent, turn: Turn, world: World): Beat[] {
  return [...tool(agent, turn, 'Read', 300, () => world.packages?.heard(agent, turn.text)), stop(agent, turn)];
}

function handoffTurn(agent: SimAgent, turn: Turn, world: World): Beat[] {
  const { dice } = world;
  const path = /exactly this file:\n {2}(\S+)/.exec(turn.text)?.[1] ?? '';
  const marker = /<!-- handoff-end:\w+ -->/.exec(turn.text)?.[0] ?? '';
  const body = `# Handoff of agent ${agent.agentId}\n\nNote ${dice.between(1, 1_000_000)}: the dead ends are in my head only.\n${world.lessons?.sectionsOf(agent.agentId) ?? ''}`;
  const write =
    (text: string, to = path, kind?: 'link' | 'folder' | 'huge') =>
    () => {
      world.disk.write(to, text, kind);
      agent.writtenTo.push({
        path: to,
        atMs: world.timeline.nowMs,
        complete: text.endsWith(marker) && kind === undefined,
      });
      world.tell(
        `agent ${agent.agentId} wrote ${text.length} characters to ${to}${kind === undefined ? '' : ` (${kind})`}`,
      );
      noteWritten(world, to);
    };
  const blame = (what: string) => world.blame(agent.agentId, what);
  const whole = body + marker;
  const { handoffTurn: habit } = agent.habits;
  const before: Beat[] = [
    ...(agent.habits.compacts ? compaction(agent, world) : []),
    ...(dice.chance(0.5) ? tool(agent, turn, 'Read', dice.between(100, 3_000)) : []),
    ...(agent.habits.asksInHandoffTurn ? [beat(dice.between(50, 500), 'asks')] : []),
  ];
  const good = [...before, ...tool(agent, turn, 'Write', dice.between(50, 1_500), write(whole)), stop(agent, turn)];
  const instead = (does: () => void, why: string) => [
    ...before,
    ...tool(agent, turn, 'Write', 300, () => {
      blame(why);
      does();
    }),
    stop(agent, turn),
  ];
  switch (habit) {
    case 'ignores':
      return [...before, beat(500, () => blame('ignored')), stop(agent, turn)];
    case 'wrong_path':
      return instead(write(whole, `${path}.txt`), 'wrong_path');
    case 'empty':
      return instead(write(''), 'empty');
    case 'link':
    case 'folder':
    case 'huge':
      return instead(write(whole, path, habit), 'not_plain');
    case 'no_marker':
      return instead(write(body), 'no_marker');
    case 'in_parts': {
      const cuts = [0.2, 0.5, 0.8, 1].map((part) => whole.slice(0, Math.floor(whole.length * part)));
      const parts = cuts.map((text) => tool(agent, turn, 'Edit', dice.between(300, 4_000), write(text)));
      return [...before, ...parts.flat(), stop(agent, turn)];
    }
    case 'in_background':
      return [
        ...before,
        beat(300, () => {
          world.saw('stop_with_background_tasks');
          agent.inBackground += 1;
          agent.endTurn(turn);
          agent.later(dice.between(500, 6_000), write(whole));
          agent.later(6_500, () => {
            agent.inBackground -= 1;
            agent.stopped(turn);
          });
        }),
      ];
    case 'after_the_stop':
      return [
        ...before,
        beat(300, () => {
          blame('late_document');
          agent.endTurn(turn);
          agent.later(dice.between(400, 2_500), write(whole));
        }),
      ];
    case 'api_error':
      return [...before, beat(300, () => failTurn(agent, turn, world))];
    case 'crash_before':
    case 'crash_between_parts':
    case 'crash_after': {
      const text = { crash_before: undefined, crash_between_parts: body, crash_after: whole }[habit];
      return [
        ...before,
        ...(text === undefined ? [] : tool(agent, turn, 'Write', 300, write(text))),
        beat(dice.between(20, 400), () => {
          blame('crashed:instruction');
          world.saw(habit === 'crash_after' ? 'crashed_after_writing' : 'crashed_before_writing');
          agent.die('it crashed in the handoff turn');
        }),
      ];
    }
    case 'hangs':
      return [...before, beat(500, () => blame('hangs'))];
    default:
      return good;
  }
}

function compaction(agent: SimAgent, world: World): Beat[] {
  return [
    beat(200, () => {
      world.saw('compaction_in_the_handoff_turn');
      agent.fire('PreCompact', { trigger: 'auto' });
    }),
    beat(world.dice.between(500, 4_000), () => {
      agent.fire('SessionStart', { source: 'compact' });
      agent.fire('PostCompact', { trigger: 'auto' });
    }),
  ];
}

function injectionTurn(agent: SimAgent, turn: Turn, world: World): Beat[] {
  const { dice } = world;
  const path = /handoff document for you:\n {2}(\S+)/.exec(turn.text)?.[1] ?? '';
  const runId = Number(/baton ack (\d+)/.exec(turn.text)?.[1]);
  // In an emergency handoff there is no document, so the prompt itself contains the token that `baton ack --proof`
  // needs.
  const told = /--proof (?!TOKEN)(\w+)/.exec(turn.text)?.[1];
  const acknowledge = (proof?: string) => () => {
    const read = world.disk.documents.get(path)?.text ?? '';
    world.acknowledge(agent, runId, proof ?? told ?? /handoff-end:(\w+)/.exec(read)?.[1] ?? 'none');
  };
  const read = tool(agent, turn, 'Read', dice.between(50, 1_000));
  const { acknowledges, injectionTurn: habit } = agent.habits;
  if (habit === 'api_error') return [...read, beat(100, () => failTurn(agent, turn, world))];
  if (habit === 'crash')
    return [
      ...(dice.chance(0.5) ? read : []),
      beat(dice.between(10, 800), () => {
        world.blame(agent.agentId, 'crashed:injection');
        agent.die('it crashed with the handoff prompt');
      }),
    ];
  const says: Beat[] = [];
  if (acknowledges === 'wrongly') says.push(beat(100, acknowledge('guess')), beat(1_000, acknowledge()));
  if (acknowledges === 'yes') says.push(beat(dice.between(20, 400), acknowledge()));
  if (acknowledges === 'late')
    says.push(beat(10, () => agent.later(world.ackDeadlineMs + dice.between(2_100, 3_500), acknowledge())));
  if (acknowledges === 'never') says.push(beat(10, () => world.blame(agent.agentId, 'never_acknowledges')));
  // A fast successor acknowledges before Baton has processed the hook of the successor's first tool.
  return acknowledges === 'yes' && dice.chance(0.2)
    ? [...says, ...read, stop(agent, turn)]
    : [...read, ...says, stop(agent, turn)];
}
