import { z } from 'zod';
import { PACKAGE_TYPES } from '../../domain/packages/content/package.ts';
import { ACTIVE_STATES, PARTIES, TERMINAL_STATES } from '../../domain/packages/record.ts';

/** Schemas of the API resources about packages. */

const Party = z.enum(PARTIES);

export const PackageFinding = z
  .object({
    rule: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    pointer: z.string(),
    message: z.string(),
    fix: z.string(),
    line: z.int().optional().describe('The line of the finding, if the package was sent as text.'),
  })
  .meta({ id: 'PackageFinding' });
export type PackageFinding = z.infer<typeof PackageFinding>;

export const PackageRow = z
  .object({
    id: z.string(),
    type: z.enum(PACKAGE_TYPES),
    from: z.string(),
    to: z.string(),
    state: z.enum([...ACTIVE_STATES, ...TERMINAL_STATES]),
    over: z.boolean(),
    owner: Party.describe('The party that is responsible for the package now; there is always exactly one.'),
    waiter: Party.nullable().describe('The party that must act now; null if the package has ended.'),
    revision: z.int().describe('0 if the package is not sealed yet.'),
    summary: z.string(),
    deadline_at: z.string().nullable().describe('The time by which the party in `waiter` must act.'),
    project_id: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'PackageRow' });
export type PackageRow = z.infer<typeof PackageRow>;

export const PackageList = z
  .object({
    packages: z.array(PackageRow),
    next: z
      .string()
      .nullable()
      .describe(
        'The value of `?before=` that returns older packages of this list; null if there are no older packages.',
      ),
  })
  .meta({ id: 'PackageList' });
export type PackageList = z.infer<typeof PackageList>;

const Text = z.record(z.string(), z.unknown());

const Lineage = z.object({
  parent: z.string().nullable(),
  root: z.string(),
  hop: z.int(),
  supersedes: z.string().nullable(),
  returns_for: z.string().nullable(),
});

export const PackageDetail = PackageRow.extend({
  uid: z.string(),
  package: Text.describe(
    'The content of the newest sealed revision or, for a draft, the content as its author wrote it.',
  ),
  content_sha256: z.string().nullable().describe('The hash of the newest sealed revision; null for a draft.'),
  seen: z
    .string()
    .nullable()
    .describe('Identifies the content together with the artifacts; a decision must repeat this value.'),
  artifacts: z
    .record(z.string(), z.string())
    .describe('The hash that each artifact had when the package was sealed, by the path of the artifact.'),
  lineage: Lineage,
  constraints: z.array(z.object({ id: z.string(), text: z.string() })),
  criteria: z.array(z.object({ id: z.string(), text: z.string() })),
  round: z.int(),
  questions: z
    .array(z.object({ id: z.string(), text: z.string() }))
    .describe('The questions that are not answered yet.'),
  answers: z.array(z.object({ id: z.string(), question: z.string(), answer: z.string(), by: z.string() })),
  gate: z.object({ kind: z.string(), items: z.array(z.string()), approved: z.array(z.int()) }).nullable(),
  decision: Text.nullable(),
  outcome: z.string().nullable(),
  acknowledgement: Text.nullable(),
  results: z.array(
    z.object({
      id: z.string(),
      result: z.string(),
      evidence: z.string().optional(),
      checked: z.boolean().describe('Whether Baton itself checked the file that belongs to the criterion.'),
    }),
  ),
  cause: z.string().nullable(),
  superseded_by: z.string().nullable(),
  findings: z.array(PackageFinding).describe('Lint findings of the newest revision.'),
  waivers: z.array(Text),
  read_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  run_id: z
    .int()
    .nullable()
    .describe(
      'The handoff run, if Baton wrote this package for a run. Only the run changes the state of such a package.',
    ),
  held_up: z
    .object({ agent_id: z.int(), sentence: z.string(), hint: z.string() })
    .nullable()
    .describe('Set if the package waits for an adopted agent, which cannot use packages; otherwise null.'),
  notified: z
    .object({
      agent_id: z.int(),
      label: z.string(),
      at: z.string(),
      must_act: z.boolean().optional().describe('Whether the package waits for this agent now.'),
    })
    .nullable()
    .optional()
    .describe('The agent that Baton notified of this package last, and when; null if it notified no agent.'),
  archive: z
    .string()
    .nullable()
    .describe(
      'The path of the archived package in the project. Null for a draft, and if the archive is off. Also null for the package of a handoff if the project has no `.project/` folder.',
    ),
}).meta({ id: 'PackageDetail' });
export type PackageDetail = z.infer<typeof PackageDetail>;

const Report = z.object({
  blocked: z.boolean().describe('True if a finding is an error. The receiver then cannot accept the package.'),
  findings: z.array(PackageFinding),
  unusable: z.array(z.string()).describe('Paths of artifacts that are missing or have changed.'),
  folder: z.string().nullable().describe("The sender's working folder, in which Baton checked the artifacts."),
});

export const ReceivedPackage = z.object({ package: PackageDetail, report: Report }).meta({ id: 'ReceivedPackage' });
export type ReceivedPackage = z.infer<typeof ReceivedPackage>;

export const PackageReport = Report.extend({
  artifacts: z
    .array(
      z.object({
        path: z.string(),
        sealed: z.string().nullable().describe('The hash of the artifact in the newest revision.'),
        now: z.string().nullable().describe('The current hash of the artifact; null if it has none.'),
        state: z
          .string()
          .describe(
            '`as_sealed`, `changed` or `not_sealed`; or the reason why there is no hash, such as `missing`, `link` or `too_large`.',
          ),
      }),
    )
    .describe('The artifacts, in the order in which the package lists them.'),
})
  .describe('The result of a check that Baton makes for this request. For a draft, the findings are the lint findings.')
  .meta({ id: 'PackageReport' });
export type PackageReport = z.infer<typeof PackageReport>;

const ShownText = z.object({
  text: z.string().nullable().describe('The text, with secrets masked; null if the text cannot be shown.'),
  why_not: z.string().nullable().describe('Why the text cannot be shown; null if it is shown.'),
});

export const PackageContents = z
  .object({
    artifacts: z.array(
      z.object({
        path: z.string(),
        state: z
          .string()
          .describe(
            'The state of the artifact: `as_sealed`, `changed`, `missing` or another value, as in the report on the package.',
          ),
        sealed: ShownText.describe('The content when the package was sealed.'),
        now: ShownText.describe('The content of the file now.'),
        diff: z
          .string()
          .nullable()
          .describe(
            'The changed lines, each marked with `-` or `+`. Empty if nothing has changed; null if one of the two texts cannot be shown.',
          ),
      }),
    ),
    seen: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The value to send as `seen` with a decision about exactly these texts. The value identifies the package together with its artifacts as they are now.',
      ),
    package_seen: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The value that the field `seen` of the package had when Baton read these texts. If `seen` has another value now, the texts belong to another version of the package.',
      ),
  })
  .describe('The texts of at most 20 artifacts: UTF-8 files of at most 128 KiB.')
  .meta({ id: 'PackageContents' });
export type PackageContents = z.infer<typeof PackageContents>;

export const PackageLint = z
  .object({
    ok: z.boolean().describe('True if there is no error, so that the package can be sealed.'),
    type: z.string().nullable(),
    findings: z.array(PackageFinding),
    skipped: z.array(z.string()).describe('Rules that were skipped, because the data that they need is not available.'),
  })
  .meta({ id: 'PackageLint' });
export type PackageLint = z.infer<typeof PackageLint>;

export const PackageChain = z
  .object({
    root: z.string(),
    packages: z.array(PackageRow.extend({ lineage: Lineage })).describe('The packages of the chain, oldest first.'),
    open_frames: z
      .array(z.object({ handoff: z.string(), caller: z.string(), callee: z.string() }))
      .describe('Delegations whose result was not returned yet, newest last.'),
  })
  .meta({ id: 'PackageChain' });
export type PackageChain = z.infer<typeof PackageChain>;

export const PackageAgents = z
  .object({
    you: z.array(z.string()).describe('Your own names. Use the first name in `from.agent`.'),
    agents: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['persona', 'agent', 'person']),
        capabilities: z
          .array(z.string())
          .describe('The names of the capabilities, for use in `to.capabilities_required`.'),
        live: z.boolean().describe('Whether an agent with this name runs in your project now.'),
      }),
    ),
  })
  .meta({ id: 'PackageAgents' });
export type PackageAgents = z.infer<typeof PackageAgents>;

export const PackageSchema = z.object({ schema: Text }).meta({ id: 'PackageSchema' });

export const Rebuilt = z
  .object({
    packages: z.int(),
    mended: z.int().describe('The number of rows that differed from the log and were corrected.'),
    written: z
      .int()
      .describe(
        'The number of files that Baton wrote again, because they were missing or different. This number includes state files.',
      ),
  })
  .meta({ id: 'Rebuilt' });
