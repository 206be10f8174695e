import type { z } from 'zod';

/**
 * The shape of a schema for a plain type of the domain. `satisfies ShapeOf<T>` compiles only if the schema has exactly
 * the fields of T, and accepts no value that T does not allow.
 */
export type ShapeOf<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };
