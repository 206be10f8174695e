/** A fault planted on purpose, to check that the bench fails. */
export const PLANTS = ['none', 'no_guard', 'mark_after_paste', 'hook_alone'] as const;
export type Plant = (typeof PLANTS)[number];
