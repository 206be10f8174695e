import type { z } from 'zod';

/**
 * Ties a schema to a plain type T of the domain: `satisfies ShapeOf<T>` compiles only if the schema has exactly the
 * fields of T and accepts only values that T allows.
 */
export type ShapeOf<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };
