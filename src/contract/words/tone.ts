/** The color of a status. The word beside the color says the same, so that the color is never needed. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'grey';
