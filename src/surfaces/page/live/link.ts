/** The state of the connection to the server. Without a connection the page shows old data. */
export interface Link {
  readonly status: 'connecting' | 'live' | 'cut_off' | 'logged_out';
  /** The time when the connection was lost; null if it is not lost. */
  readonly since: string | null;
  readonly problem: string | null;
}
