import { z } from 'zod';
import { PACKAGE_TYPES } from '../../domain/packages/content/package.ts';
import { ACTIVE_STATES, PARTIES, TERMINAL_STATES } from '../../domain/packages/record.ts';

/** The resources that describe packages. */

const Party = z.enum(PARTIES);

export const PackageFinding = z
  .object({
    rule: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    pointer: z.string(),
    message: z.string(),
    fix: z.string(),
    line: z.int().optional().describe('For a package that was sent as text: the line of the finding.'),
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
    owner: Party.describe('The party that is responsible for it now; always exactly one.'),
    waiter: Party.nullable().describe('The party that must act now.'),
    revision: z.int().describe('0: not sealed yet.'),
    summary: z.string(),
    deadline_at: z.string().nullable().describe('The time from which the waiter is late.'),
    project_id: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'PackageRow' });
export type PackageRow = z.infer<typeof PackageRow>;

export const PackageList = z
  .object({
    packages: z.array(PackageRow),
    next: z.string().nullable().describe('Set if older packages match: ask again with ?before= this id.'),
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
  package: Text.describe("The newest sealed revision; for a draft, its author's content."),
  content_sha256: z.string().nullable().describe('The hash of the newest revision.'),
  seen: z.string().nullable().describe('Identifies content and artifacts together; a decision must name it.'),
  artifacts: z.record(z.string(), z.string()).describe('The hashes in the seal.'),
  lineage: Lineage,
  constraints: z.array(z.object({ id: z.string(), text: z.string() })),
  criteria: z.array(z.object({ id: z.string(), text: z.string() })),
  round: z.int(),
  questions: z.array(z.object({ id: z.string(), text: z.string() })).describe('Not answered yet.'),
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
      checked: z.boolean().describe('Whether Baton checked the file that the criterion names.'),
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
    .describe('For a continuation: the handoff run that it mirrors. Only the run changes its state.'),
  held_up: z
    .object({ agent_id: z.int(), sentence: z.string(), hint: z.string() })
    .nullable()
    .describe('Set if it waits for an adopted agent, which cannot use packages; otherwise null.'),
  archive: z.string().nullable().describe('Its path in the project.'),
}).meta({ id: 'PackageDetail' });
export type PackageDetail = z.infer<typeof PackageDetail>;

const Report = z.object({
  blocked: z.boolean().describe('True if a finding is an error; then it cannot be acknowledged in full.'),
  findings: z.array(PackageFinding),
  unusable: z.array(z.string()).describe('Paths of artifacts that are missing or have changed.'),
  folder: z
    .string()
    .nullable()
    .describe("The folder in which Baton checked the artifacts: the sender's working folder."),
});

export const ReceivedPackage = z.object({ package: PackageDetail, report: Report }).meta({ id: 'ReceivedPackage' });
export type ReceivedPackage = z.infer<typeof ReceivedPackage>;

export const PackageReport = Report.extend({
  artifacts: z
    .array(
      z.object({
        path: z.string(),
        sealed: z.string().nullable().describe('The hash in the newest revision.'),
        now: z.string().nullable().describe('The current hash.'),
        state: z
          .string()
          .describe('as_sealed, changed, not_sealed; or why there is no hash: missing, link, too_large …'),
      }),
    )
    .describe('In the order of the package.'),
})
  .describe("Baton's current findings; for a draft, the lint findings.")
  .meta({ id: 'PackageReport' });
export type PackageReport = z.infer<typeof PackageReport>;

export const PackageLint = z
  .object({
    ok: z.boolean().describe('True if there is no error, so it can be sealed.'),
    type: z.string().nullable(),
    findings: z.array(PackageFinding),
    skipped: z.array(z.string()).describe('Skipped rules, because their data is not available.'),
  })
  .meta({ id: 'PackageLint' });
export type PackageLint = z.infer<typeof PackageLint>;

export const PackageChain = z
  .object({
    root: z.string(),
    packages: z.array(PackageRow.extend({ lineage: Lineage })).describe('Oldest first.'),
    open_frames: z
      .array(z.object({ handoff: z.string(), caller: z.string(), callee: z.string() }))
      .describe('Delegations that wait for their return, newest last.'),
  })
  .meta({ id: 'PackageChain' });
export type PackageChain = z.infer<typeof PackageChain>;

export const PackageAgents = z
  .object({
    you: z.array(z.string()).describe('Your own names; the first is the one for from.agent.'),
    agents: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['persona', 'agent', 'person']),
        capabilities: z.array(z.string()).describe('For to.capabilities_required.'),
        live: z.boolean().describe('Whether an agent of this name runs in your project now.'),
      }),
    ),
  })
  .meta({ id: 'PackageAgents' });
export type PackageAgents = z.infer<typeof PackageAgents>;

export const PackageSchema = z.object({ schema: Text }).meta({ id: 'PackageSchema' });

export const Rebuilt = z
  .object({
    packages: z.int(),
    mended: z.int().describe('Rows that differed from the log.'),
    written: z.int().describe('Files that were missing or different.'),
  })
  .meta({ id: 'Rebuilt' });
