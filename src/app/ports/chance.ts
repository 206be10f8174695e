/** Random values as a port, so that tests can control them. */
export interface Chance {
  uuid(): string;
  /** Returns a random token of letters and digits that cannot be guessed. */
  token(length: number): string;
  sha256(text: string): string;
}
