/**
 * A color that shows a status. The word next to the color has the same meaning, so that no information depends on the
 * color alone.
 */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'grey';
