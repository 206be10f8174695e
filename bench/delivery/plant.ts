/** The bugs that `--plant` builds in on purpose, one per run, to check that this benchmark then fails. */
export const PLANTS = ['none', 'no_guard', 'mark_after_paste', 'hook_alone'] as const;
export type Plant = (typeof PLANTS)[number];
