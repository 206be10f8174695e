/** A color with a meaning. A word next to the color always has the same meaning. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'grey';
