import { RECOVERY } from '../points.ts';
import { ACTS, type Act } from './scene.ts';

/** The crash points right before and right after the transaction in which Baton stores a fact. */
const COMMIT = ['commit:before', 'commit:after'] as const;
const FILES = ['file:opened', 'file:written', 'file:renamed', 'package:archived', 'package:noted', 'package:stated'];
const TYPING = [
  'announce_package:claimed',
  'announcement:pasted',
  'announcement:enter pressed',
  'announce_package:performed',
  'announce_package:committed',
];

/** For each kind of action in the script, the crash points at which a kill can interrupt the action. */
const PASSED: Readonly<Record<Act['passes'], readonly string[]>> = {
  call: [...COMMIT, ...FILES],
  told: [...COMMIT, ...FILES, ...TYPING],
  started: ['receiver:started', 'launch_agent:claimed', 'launch_agent:performed', 'launch_agent:committed', ...COMMIT],
  died: [...COMMIT, 'package:archived', 'package:noted', 'package:stated', ...TYPING],
};

/** The name of the last action in the script. In this action, the operator rebuilds everything from the log. */
export const REBUILT = 'rebuilt';

/**
 * Returns crash points in the form `ACT/POINT`: the name of an action in the script, and the point of this action at
 * which the server dies. An action can have several crash points.
 */
const at = (act: string, ...points: readonly string[]): string[] => points.map((point) => `${act}/${point}`);

/**
 * The crash points with `--short`. Every point occurs once, and every action of the script is interrupted at least
 * once.
 */
export const SHORT: readonly string[] = [
  ...at('gate_asked', ...COMMIT),
  ...at('gate_rejected', 'commit:after', 'announce_package:performed'),
  ...at('reworked', 'commit:before', 'file:opened'),
  ...at('gate_questioned', 'announcement:pasted'),
  ...at('gate_answered', 'commit:after', 'file:written'),
  ...at('gate_approved', 'commit:before', 'announcement:enter pressed'),
  ...at('passed_on', 'commit:after', 'announce_package:claimed'),
  ...at('clarified', 'announce_package:committed'),
  ...at('answered', 'file:renamed'),
  ...at('accepted', 'commit:before', 'package:archived'),
  ...at('started', 'receiver:started', 'launch_agent:performed'),
  ...at('taken', 'commit:after', 'package:noted'),
  ...at('step_completed', 'package:stated'),
  ...at('receiver_replaced', 'package:archived'),
  ...at('taken_over', 'commit:before'),
  ...at('delegated', 'commit:after', ...RECOVERY),
  ...at('returned', 'commit:before'),
  ...at('return_read', 'commit:after'),
  ...at('receiver_gone', 'commit:before', 'announce_package:performed'),
  ...at('asked_for_help', 'announcement:pasted'),
  ...at('sender_gone', 'commit:after'),
  ...at('person_asked', 'commit:after'),
  ...at('person_answered', 'announce_package:claimed'),
  ...at('given_up', 'package:archived'),
  ...at('declined', 'file:opened'),
  ...at(REBUILT, 'rebuild:rows'),
];

/**
 * Picks a random crash point for each action of the script. Sometimes also picks a crash point at which the next server
 * dies during its recovery.
 */
export function pointsAtRandom(chance: () => number): readonly string[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
  const points = ACTS.flatMap(({ name, passes }) => {
    const first = at(name, pick(PASSED[passes]));
    return chance() < 0.2 ? [...first, ...at(name, pick(RECOVERY))] : first;
  });
  return [...points, ...at(REBUILT, 'rebuild:rows')];
}
