/** The color of a status. The word beside the color says the same, so that no reader depends on the color. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'grey';
