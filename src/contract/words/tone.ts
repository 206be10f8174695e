/** A color with a meaning; a word always says the same. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'grey';
