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
    line: z.int().optional().describe('Of a package that was sent as text: the line of the place.'),
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
    owner: Party.describe('Who answers for it now; always exactly one.'),
    waiter: Party.nullable().describe('Who must do something now.'),
    revision: z.int().describe('0: not sealed yet.'),
    summary: z.string(),
    deadline_at: z.string().nullable().describe('When the waiter is late.'),
    project_id: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'PackageRow' });
export type PackageRow = z.infer<typeof PackageRow>;

export const PackageList = z
  .object({
    packages: z.array(PackageRow),
    next: z.string().nullable().describe('There are older ones that fit: ask again with ?before= this id.'),
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
  package: Text.describe('The newest sealed revision; of a draft, what its author wrote.'),
  content_sha256: z.string().nullable().describe('The hash of the newest revision.'),
  seen: z.string().nullable().describe('Names content and artifacts together: what a decision has to name.'),
  artifacts: z.record(z.string(), z.string()).describe('The hashes that the seal has.'),
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
      checked: z.boolean().describe('The host has looked at the file that the criterion names.'),
    }),
  ),
  cause: z.string().nullable(),
  superseded_by: z.string().nullable(),
  findings: z.array(PackageFinding).describe('What the lint said of the newest revision.'),
  waivers: z.array(Text),
  read_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  run_id: z.int().nullable().describe('Of a continuation: the handoff run that it tells of, and that alone moves it.'),
  held_up: z
    .object({ agent_id: z.int(), sentence: z.string(), hint: z.string() })
    .nullable()
    .describe('It waits for an agent that was adopted and so cannot use packages; null: it does not.'),
  archive: z.string().nullable().describe('Where it lies in the project.'),
}).meta({ id: 'PackageDetail' });
export type PackageDetail = z.infer<typeof PackageDetail>;

const Report = z.object({
  blocked: z.boolean().describe('With an error among the findings it cannot be acknowledged as understood.'),
  findings: z.array(PackageFinding),
  unusable: z.array(z.string()).describe('Artifacts that are missing or were changed.'),
  folder: z.string().nullable().describe('Where the artifacts were looked at: where whoever wrote the package works.'),
});

export const ReceivedPackage = z.object({ package: PackageDetail, report: Report }).meta({ id: 'ReceivedPackage' });
export type ReceivedPackage = z.infer<typeof ReceivedPackage>;

export const PackageReport = Report.extend({
  artifacts: z
    .array(
      z.object({
        path: z.string(),
        sealed: z.string().nullable().describe('The hash that the newest revision has.'),
        now: z.string().nullable().describe('The hash of what is there now.'),
        state: z
          .string()
          .describe('as_sealed, changed, not_sealed; or why there is no hash: missing, link, too_large …'),
      }),
    )
    .describe('In the order of the package.'),
})
  .describe('What the host sees now; of a draft, what the lint says.')
  .meta({ id: 'PackageReport' });
export type PackageReport = z.infer<typeof PackageReport>;

export const PackageLint = z
  .object({
    ok: z.boolean().describe('No error: it may be sealed.'),
    type: z.string().nullable(),
    findings: z.array(PackageFinding),
    skipped: z.array(z.string()).describe('Rules that need more than is at hand.'),
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
        live: z.boolean().describe('An agent of this name runs in your project now.'),
      }),
    ),
  })
  .meta({ id: 'PackageAgents' });
export type PackageAgents = z.infer<typeof PackageAgents>;

export const PackageSchema = z.object({ schema: Text }).meta({ id: 'PackageSchema' });

export const Rebuilt = z
  .object({
    packages: z.int(),
    mended: z.int().describe('Rows that were not what the log says.'),
    written: z.int().describe('Files that were missing or said something else.'),
  })
  .meta({ id: 'Rebuilt' });
