/** Randomness, so that tests can fix it. */
export interface Chance {
  uuid(): string;
  /** Unguessable, letters and digits only. */
  token(length: number): string;
  sha256(text: string): string;
}
