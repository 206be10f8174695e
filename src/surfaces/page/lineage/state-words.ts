import type { LineageAgent } from './lay-out-lineage.ts';

const WORDS: Readonly<Record<LineageAgent['state'], string>> = {
  starting: 'Live: starting',
  idle: 'Live: at rest',
  working: 'Live: working',
  awaiting_input: 'Live: waits for you',
  unknown: 'Live: not known whether it works',
  ended: 'Ended',
  lost: 'Lost',
};

export const stateInWords = (state: LineageAgent['state']): string => WORDS[state];
