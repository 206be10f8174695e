/**
 * The bugs that the option `--plant` builds into Baton on purpose. A run with such a bug must fail. If the run
 * passes, this benchmark cannot find bugs.
 */
export const PLANTS = ['none', 'no_guard', 'mark_after_paste', 'hook_alone'] as const;
export type Plant = (typeof PLANTS)[number];
