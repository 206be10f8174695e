/** The link to the server: says whether the page shows the current state. */
export interface Link {
  readonly status: 'connecting' | 'live' | 'cut_off' | 'logged_out';
  /** When the link was lost; null if it is not lost. */
  readonly since: string | null;
  readonly problem: string | null;
}
