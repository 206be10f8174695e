/**
 * A color that shows a status. The word next to the color always says the same, so that no information depends on the
 * color alone.
 */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'grey';
