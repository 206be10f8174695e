import { z } from 'zod';

/** The output of the maintenance commands (backup, doctor, service), which run without a server. */

export const Finding = z.object({
  check: z.string(),
  level: z.enum(['ok', 'note', 'warning', 'error']),
  sentence: z.string(),
  remedy: z.string().nullable().describe('How to fix the problem; null if there is nothing to do.'),
});
export type Finding = z.infer<typeof Finding>;

export const DoctorReport = z.object({
  ok: z.boolean().describe('True if no finding is an error.'),
  version: z.string(),
  home: z.string(),
  findings: z.array(Finding),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

const ConfigKey = z.object({
  key: z.string(),
  meaning: z.string(),
  default: z.unknown(),
  value: z.unknown(),
  source: z.enum(['default', 'config.json']),
});

export const ConfigReport = z.object({
  path: z.string(),
  exists: z.boolean(),
  home_from: z.enum(['BATON_HOME', 'default']),
  problem: z
    .string()
    .nullable()
    .describe('The error with which `baton start` would refuse config.json; null if there is none.'),
  keys: z.array(ConfigKey),
});
export type ConfigReport = z.infer<typeof ConfigReport>;

export const ServiceReport = z.object({
  manager: z.enum(['systemd', 'launchd']),
  file: z.string(),
  installed: z.boolean(),
  current: z.boolean().describe('Whether the service file is the same as the one that this Baton would write.'),
  state: z
    .string()
    .describe(
      'The state in the words of the service manager, such as `active`; `unknown` if the service manager does not answer.',
    ),
  changed: z.boolean(),
  dry_run: z.boolean(),
  content: z
    .string()
    .nullable()
    .describe(
      'In a dry run, the content that would be written to the service file; null if the file would not be written. Always null without a dry run.',
    ),
  commands: z.array(z.string()).describe('The commands that were run or, in a dry run, would be run.'),
  advice: z.array(z.string()),
});
export type ServiceReport = z.infer<typeof ServiceReport>;

export const BackupManifest = z.object({
  format: z.literal('baton-backup/1'),
  baton_version: z.string(),
  schema: z.int().min(0),
  host_id: z.string().nullable(),
  created_at: z.string(),
  with_secrets: z.boolean(),
  left_out: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export const BackupReport = z.object({
  file: z.string(),
  bytes: z.int(),
  files: z.int(),
  with_secrets: z.boolean(),
  left_out: z.array(z.string()),
});
export type BackupReport = z.infer<typeof BackupReport>;

export const RestoreReport = z.object({
  file: z.string(),
  home: z.string(),
  done: z.boolean().describe('False for a dry run, which changes nothing.'),
  created_at: z.string(),
  baton_version: z.string(),
  schema: z.int(),
  files: z.int(),
  replaces: z.array(z.string()),
  aside: z
    .string()
    .nullable()
    .describe(
      'The folder with the files that the restore replaced; null if the restore replaced no file, and in a dry run.',
    ),
  left_out: z.array(z.string()),
  not_taken: z
    .array(z.string())
    .describe(
      'Files, settings and page sessions that are in the backup but were left out, because they are restored only with `--with-secrets`.',
    ),
});
export type RestoreReport = z.infer<typeof RestoreReport>;

export const ExportReport = z.object({
  folder: z.string(),
  personas: z.int(),
  handoffs: z.int(),
  documents: z.int(),
  packages: z.int(),
  events: z.int(),
});
export type ExportReport = z.infer<typeof ExportReport>;

export const PurgeReport = z.object({
  done: z.boolean().describe('False for a dry run, which changes nothing.'),
  agents: z.array(z.int()),
  runs: z.int(),
  packages: z.array(z.string()),
  events: z
    .int()
    .describe('The number of events whose data is deleted; the events keep their place in the hash chain.'),
  documents: z.array(z.string()),
  kept: z.array(z.object({ what: z.string(), why: z.string() })),
});
export type PurgeReport = z.infer<typeof PurgeReport>;
