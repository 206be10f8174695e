/**
 * Every named moment at which the server is killed (src/adapters/system/crash-point.ts), in the order of a handoff.
 * Each effect has three moments. At `claimed`, Baton has not yet performed the effect. At `performed`, the effect is
 * done, but its report is not yet on disk. At `committed`, the report is on disk.
 */
const MOMENTS = ['claimed', 'performed', 'committed'] as const;

const around = (...effects: readonly string[]): string[] =>
  effects.flatMap((effect) => MOMENTS.map((moment) => `${effect}:${moment}`));

const typed = (what: string): string[] => [`${what}:pasted`, `${what}:enter pressed`];

/**
 * The crash points around the transaction that stores the operator's request. A kill before the transaction discards
 * the request. A kill after the transaction loses only the answer.
 */
const CLICK = ['commit:before', 'commit:after'] as const;

/**
 * Chains of crash points. One run reaches all points of a chain in this order, with a kill at each point. The first
 * `file:…` points belong to the copy of the document. The later `file:…` points belong to the successor's settings and
 * launch script.
 */
export const HANDOFF_CHAINS: readonly (readonly string[])[] = [
  ...MOMENTS.flatMap((moment) =>
    [
      ['prepare_document_place', 'type_instruction'],
      // Put the effects `confirm_prompt` and `compare_document` into chains of their own. Baton may report these two
      // effects later than effects that began after them. In a chain with other effects, the order of the points would
      // therefore not be certain.
      ['confirm_prompt'],
      ['compare_document'],
      ['check_document', 'check_successor_can_start', 'type_exit', 'launch_agent', 'prime_agent', 'type_injection'],
    ].map((effects) => effects.map((effect) => `${effect}:${moment}`)),
  ),
  [...typed('instruction'), ...typed('exit'), ...typed('skill'), ...typed('injection')],
  ['file:opened', 'file:written#2', 'file:renamed#2'],
  ['commit:before', 'commit:after', 'commit:before#7', 'commit:after#7', 'commit:before#11', 'commit:after#11'],
  // The server passes these crash points while it reads the spool. The spool contains the hooks that report a new
  // session, and acknowledgments that were sent while no server ran.
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

/** For each action of the operator, the crash points at which a kill can interrupt the action. */
export const ACTION_CHAINS = {
  instruct_again: [
    ...CLICK,
    'type_instruction:claimed',
    'instruction:pasted',
    'type_instruction:committed',
    ...around('check_document'),
  ],
  adopt: ['file:opened', 'file:written', 'file:renamed', ...CLICK, ...around('check_document')],
  retry: [...CLICK, ...around('launch_agent')],
  // Leave out `prime_agent:performed`, which HANDOFF_CHAINS covers. After a kill at this point, the hook of the typed
  // prompt completes the effect, so the run would never reach `prime_agent:committed`.
  resume: [...CLICK, ...around('launch_agent'), 'prime_agent:claimed', 'prime_agent:committed'],
  approve: [...CLICK, ...around('check_successor_can_start')],
  force_exit: [...CLICK, ...around('end_agent')],
  interrupt: [...CLICK, ...around('interrupt_agent')],
  undo: [...CLICK, ...around('end_agent', 'launch_agent')],
  // Each kill during a countdown makes the next server begin the whole countdown again.
  countdown: [
    'begin_countdown:decided',
    'begin_countdown:committed',
    'restart_countdown:decided',
    'restart_countdown:committed',
    'hand_off:decided',
    'hand_off:committed',
  ],
  // The `persona_text:…` points belong to the writing of experience.md. After each kill, the next server finds the
  // accepted lesson and writes experience.md.
  lesson: [...CLICK, 'persona_text:opened', 'persona_text:written', 'persona_text:renamed', 'commit:before'],
  emergency: [
    ...CLICK,
    ...around('check_successor_can_start', 'launch_agent'),
    'type_injection:claimed',
    'type_injection:committed',
  ],
} as const satisfies Record<string, readonly string[]>;
