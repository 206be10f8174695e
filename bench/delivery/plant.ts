/** A fault built in on purpose, to see that the bench goes red. */
export const PLANTS = ['none', 'no_guard', 'mark_after_paste', 'hook_alone'] as const;
export type Plant = (typeof PLANTS)[number];
