import { type Ink, ink } from './ink.ts';

const CELLS = 20;
const HANDOFF_PERCENT = 80;
const WARN_PERCENT = 65;

/** ▓▓▓▓▓▓░░░░ 62 % */
export function contextBar(percent: number): Ink {
  const full = Math.max(0, Math.min(CELLS, Math.round((percent / 100) * CELLS)));
  const bar = '▓'.repeat(full) + '░'.repeat(CELLS - full);
  return ink(colourOf(percent), `${bar} ${Math.round(percent)} %`);
}

function colourOf(percent: number): 'red' | 'yellow' | 'green' {
  if (percent >= HANDOFF_PERCENT) return 'red';
  return percent >= WARN_PERCENT ? 'yellow' : 'green';
}
