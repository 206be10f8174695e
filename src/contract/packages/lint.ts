import { z } from 'zod';

/** The output of `baton lint --json` for one file. */
export const LintResult = z
  .object({
    file: z.string(),
    kind: z.enum(['handoff', 'acknowledgment', 'unknown']),
    ok: z.boolean().describe('True if the file has no error. A package without an error can be sealed.'),
    type: z.string().nullable().describe('null if the type cannot be determined without the chain.'),
    type_by: z.enum(['declared', 'inferred', 'unknown']),
    errors: z.int(),
    warnings: z.int(),
    hints: z.int(),
    findings: z.array(
      z.object({
        rule: z.string(),
        severity: z.enum(['error', 'warning', 'info']),
        pointer: z.string(),
        line: z.int().nullable(),
        message: z.string(),
        fix: z.string(),
      }),
    ),
    skipped: z
      .array(z.object({ rule: z.string(), needs: z.string() }))
      .describe('Rules that were skipped, because the file alone is not enough to check them.'),
    content_sha256: z.string().nullable().describe('The hash of the canonical JSON of the package.'),
  })
  .meta({ id: 'LintResult' });
export type LintResult = z.infer<typeof LintResult>;

/** The output of `baton lint --json` for more than one file. */
export const LintResults = z.object({ files: z.array(LintResult) }).meta({ id: 'LintResults' });
export type LintResults = z.infer<typeof LintResults>;
