/** A schema of the API contract that the server's answer must match. */
export interface Reply<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: ReplyProblem };
}

interface ReplyProblem {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

export function explain({ issues }: ReplyProblem): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`)
    .join('; ');
}
