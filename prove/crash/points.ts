/**
 * Every named moment at which the server is killed, in the order in which a handoff passes them (src/main/crash-point.ts).
 * `at` of an effect: `claimed` = before it, `performed` = after it and before its report is on disk, `committed` = after.
 */
const MOMENTS = ['claimed', 'performed', 'committed'] as const;

const around = (...effects: readonly string[]): string[] =>
  effects.flatMap((effect) => MOMENTS.map((moment) => `${effect}:${moment}`));

const typed = (what: string): string[] => [`${what}:pasted`, `${what}:enter pressed`];

/** The transaction of the click itself: killed before it the click never was, killed after it nobody heard the answer. */
const CLICK = ['commit:before', 'commit:after'] as const;

/**
 * In these orders one run can pass them all, one kill after another. The files: the copy of the document, then the
 * successor's settings and its launch script.
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
  // Only its hook tells that a session began, and an acknowledgement that found no server waits in the spool as well.
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

/** What an operator's action brings about, and so where it can be cut short. */
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
