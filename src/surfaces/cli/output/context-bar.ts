import type { Agent } from '../../../contract/resources.ts';
import { type Colour, type Ink, ink } from './ink.ts';

type Context = Pick<NonNullable<Agent['context']>, 'tier' | 'used_percent'>;

const CELLS = 20;
const COLOURS: Record<Context['tier'], Colour> = { fine: 'green', warn: 'yellow', high: 'yellow', handoff: 'red' };

/** The context use as a bar, such as ▓▓▓▓▓▓░░░░ 62 % */
export function contextBar({ tier, used_percent }: Context): Ink {
  const full = Math.max(0, Math.min(CELLS, Math.round((used_percent / 100) * CELLS)));
  const bar = '▓'.repeat(full) + '░'.repeat(CELLS - full);
  return ink(COLOURS[tier], `${bar} ${Math.round(used_percent)} %`);
}

/** The context use in percent, such as 62 % */
export const contextShare = ({ tier, used_percent }: Context): Ink =>
  ink(COLOURS[tier], `${Math.round(used_percent)} %${tier === 'handoff' ? ' !' : ''}`);
