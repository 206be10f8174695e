/**
 * Every named moment at which the server is killed, in the order in which a handoff passes them (src/adapters/system/crash-point.ts).
 * `at` of an effect: `claimed` = before it, `performed` = after it and before its report is on disk, `committed` = after.
 */
const MOMENTS = ['claimed', 'performed', 'committed'] as const;

const around = (...effects: readonly string[]): string[] =>
  effects.flatMap((effect) => MOMENTS.map((moment) => `${effect}:${moment}`));

const typed = (what: string): string[] => [`${what}:pasted`, `${what}:enter pressed`];

/** The transaction of the click. A kill before it undoes the click; after it, the operator gets no answer. */
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
  // Only a hook says that a session began; an acknowledgment that found no server waits in the spool as well.
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

/** The points that an operator's action passes, so where a kill can interrupt it. */
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
