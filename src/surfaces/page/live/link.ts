/** Is what is shown true now? */
export interface Link {
  readonly status: 'connecting' | 'live' | 'cut_off' | 'logged_out';
  /** Since when it is cut off. */
  readonly since: string | null;
  readonly problem: string | null;
}
