/**
 * The bugs that the option `--plant` can build into Baton on purpose. A run with such a bug must fail, which shows that
 * this benchmark finds bugs.
 */
export const PLANTS = ['none', 'no_guard', 'mark_after_paste', 'hook_alone'] as const;
export type Plant = (typeof PLANTS)[number];
