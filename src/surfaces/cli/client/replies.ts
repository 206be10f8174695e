/** What an answer must look like: a schema of the contract, or a list of one. */
export interface Reply<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: ReplyProblem };
}

interface ReplyProblem {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

interface ListableReply<T> extends Reply<T> {
  array(): Reply<T[]>;
}

/** `{"agents": […]}` → the list. */
export const listIn = <T>(field: string, item: ListableReply<T>): Reply<T[]> => ({
  safeParse: (body) => item.array().safeParse(fieldOf(body, field)),
});

/** `{"url": "…"}` → the text. */
export const textIn = (field: string): Reply<string> => ({
  safeParse: (body) => {
    const data = fieldOf(body, field);
    if (typeof data === 'string') return { success: true, data };
    return { success: false, error: { issues: [{ path: [field], message: 'expected text' }] } };
  },
});

export function explain({ issues }: ReplyProblem): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`)
    .join('; ');
}

const fieldOf = (body: unknown, field: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
