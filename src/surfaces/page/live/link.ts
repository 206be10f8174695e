/** The state of the connection to the server. The state says whether the page shows current data. */
export interface Link {
  readonly status: 'connecting' | 'live' | 'cut_off' | 'logged_out';
  /** When the connection to the server was lost; null if the connection is not lost. */
  readonly since: string | null;
  readonly problem: string | null;
}
