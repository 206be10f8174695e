/**
 * Every named moment at which the server is killed (src/adapters/system/crash-point.ts), in the order of a handoff.
 * Around an effect: `claimed` is before it, `performed` before its report is on disk, `committed` after the report.
 */
const MOMENTS = ['claimed', 'performed', 'committed'] as const;

const around = (...effects: readonly string[]): string[] =>
  effects.flatMap((effect) => MOMENTS.map((moment) => `${effect}:${moment}`));

const typed = (what: string): string[] => [`${what}:pasted`, `${what}:enter pressed`];

/** The points around the click's transaction. A kill before it undoes the click; a kill after it loses the answer. */
const CLICK = ['commit:before', 'commit:after'] as const;

/**
 * One run can pass all points of a chain in this order, one kill after another. The files are the copy of the document,
 * then the successor's settings and its launch script.
 */
export const HANDOFF_CHAINS: readonly (readonly string[])[] = [
  ...MOMENTS.map((moment) =>
    [
      'prepare_document_place',
      'type_instruction',
      'confirm_prompt',
      'check_document',
      'check_successor_can_start',
      'type_exit',
      'launch_agent',
      'prime_agent',
      'type_injection',
    ].map((effect) => `${effect}:${moment}`),
  ),
  [...typed('instruction'), ...typed('exit'), ...typed('skill'), ...typed('injection')],
  ['file:opened', 'file:written#2', 'file:renamed#2'],
  ['commit:before', 'commit:after', 'commit:before#7', 'commit:after#7', 'commit:before#11', 'commit:after#11'],
  // The spool has the hooks that say that a session began, and acknowledgments that were sent while no server ran.
  [
    'spool:read',
    'spool:committed',
    'launch_agent:committed',
    'spool:read',
    'spool:read',
    'spool:removed',
    'type_injection:committed',
    'spool:read',
    'spool:read',
  ],
];

export const RECOVERY = ['recovery:connected', 'recovery:released', 'recovery:drained', 'recovery:looked'] as const;

/** For each action of the operator, the points at which a kill can interrupt it. */
export const ACTION_CHAINS = {
  instruct_again: [
    ...CLICK,
    'type_instruction:claimed',
    'instruction:pasted',
    'type_instruction:performed',
    'type_instruction:committed',
    ...around('check_document'),
  ],
  adopt: ['file:opened', 'file:written', 'file:renamed', ...CLICK, ...around('check_document')],
  retry: [...CLICK, ...around('launch_agent')],
  resume: [...CLICK, ...around('launch_agent', 'prime_agent')],
  approve: [...CLICK, ...around('check_successor_can_start')],
  force_exit: [...CLICK, ...around('end_agent')],
  interrupt: [...CLICK, ...around('interrupt_agent')],
  undo: [...CLICK, ...around('end_agent', 'launch_agent')],
  emergency: [...CLICK, ...around('check_successor_can_start', 'launch_agent', 'type_injection')],
} as const satisfies Record<string, readonly string[]>;
