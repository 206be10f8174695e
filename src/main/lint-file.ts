import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { YAML_BOUNDS } from '../adapters/yaml/yaml-bounds.ts';
import type { LintResult, LintResults } from '../contract/packages/lint.ts';
import { Acknowledgment, PackageInput, SealedPackage } from '../contract/packages/package.ts';
import { schemaProblems } from '../contract/packages/package-problems.ts';
import { canonicalJson } from '../domain/packages/content/canonical-json.ts';
import { type LintFinding, pathOf } from '../domain/packages/lint/finding.ts';
import { found, schemaFinding, unreadable } from '../domain/packages/lint/finding-builder.ts';
import { type LintReport, type LintWorld, lintPackage } from '../domain/packages/lint/lint-package.ts';
import { placeholderFindings } from '../domain/packages/lint/placeholders.ts';
import { secretFindings } from '../domain/packages/lint/secrets.ts';
import { normalized, validateAcknowledgment } from '../domain/packages/validate-acknowledgment.ts';
import { CliFault, EXIT } from '../surfaces/cli/cli-fault.ts';
import { errnoWords } from '../surfaces/cli/output/errno-words.ts';
import { expandFiles, isGlob } from '../surfaces/cli/packages/expand-files.ts';

/** Lints each file separately, without a server. Returns one result for a single file, and a list for several files. */
export function lintFiles(names: readonly string[]): LintResult | LintResults {
  const files = expandFiles(names).map((file) => lintText(file, readBounded(file)));
  const [only] = files;
  return only !== undefined && names.length === 1 && !names.some(isGlob) ? only : { files };
}

/** Reads a file in order to send it to the server. Throws CliFault if the file is not strict YAML. */
export function readYaml(file: string): unknown {
  const parsed = parseStrictYaml(readBounded(file));
  if (!('problem' in parsed)) return parsed.value;
  const { sentence, line } = parsed.problem;
  throw new CliFault(`${file} was not sent: HP001${line === undefined ? '' : ` line ${line}`}: ${sentence}`, {
    code: 'package_refused',
  });
}

/**
 * Reads at most one byte more than the size limit, which is enough to detect a file that is too large. Throws for pipes
 * and devices, because reading them may never end.
 */
export function readBounded(file: string): string {
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would block.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(handle).isFile()) throw new Error('the path is not a regular file');
      const bytes = Buffer.alloc(YAML_BOUNDS.bytes + 1);
      return decoded(bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0)));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new CliFault(`${file} cannot be read: ${errnoWords(error)}. Name a YAML file.`, {
      code: 'unreadable',
      exitCode: EXIT.usage,
    });
  }
}

/**
 * Decodes UTF-8 and throws for any other text. Does not check a file that is too large, because Baton refuses it later.
 */
function decoded(bytes: Buffer): string {
  if (bytes.length > YAML_BOUNDS.bytes) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('the file is not UTF-8 text');
  }
}

export function lintText(file: string, text: string, world: Partial<LintWorld> = {}): LintResult {
  const parsed = parseStrictYaml(text);
  if ('problem' in parsed) {
    const finding = { ...unreadable(parsed.problem), line: parsed.problem.line ?? null };
    return resultOf({ file, kind: 'unknown', findings: [finding], report: NO_REPORT, hash: null });
  }
  const { kind, report, value } = judge(parsed.value, { now: new Date().toISOString(), ...world });
  const findings = report.findings.map((finding) => ({
    ...finding,
    line: parsed.lineOf(pathOf(finding.pointer)) ?? null,
  }));
  const hash = createHash('sha256').update(canonicalJson(value)).digest('hex');
  return resultOf({ file, kind, findings, report, hash });
}

const NO_REPORT = { type: undefined, typeBy: 'unknown', findings: [], waived: [], skipped: [] } as const;

type Judged = { readonly kind: LintResult['kind']; readonly report: LintReport; readonly value: unknown };

/** Lints a file according to its root key. The key says whether the file is a package or an acknowledgment. */
function judge(value: unknown, world: LintWorld): Judged {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const root = keys.find((key) => key === 'handoff' || key === 'acknowledgment');
  if (root === undefined) {
    const finding = {
      ...found('HP002', [], 'The file has neither handoff nor acknowledgment as its root key.'),
      fix: 'Begin the file with "handoff:" (for a package) or "acknowledgment:", and indent all other lines.',
    };
    return { kind: 'unknown', value, report: { ...NO_REPORT, findings: [finding, ...secretFindings(value, [])] } };
  }
  const inner = (value as Record<string, unknown>)[root];
  const others = keys
    .filter((key) => key !== root)
    .map(() => ({
      ...found('HP002', [], `The file has another root key besides ${root}.`),
      fix: `Keep only the root key ${root}.`,
    }));
  const report = root === 'handoff' ? lintInner(inner, world) : acknowledgmentReport(inner);
  return {
    kind: root as 'handoff' | 'acknowledgment',
    value: inner,
    report: { ...report, findings: [...others.slice(0, 1), ...report.findings] },
  };
}

/** Lints a package. A package with an integrity block is sealed, so it must match the schema of sealed packages. */
function lintInner(value: unknown, world: LintWorld): LintReport {
  const isSealed = typeof value === 'object' && value !== null && 'integrity' in value;
  const problems = schemaProblems(isSealed ? SealedPackage : PackageInput, value);
  return lintPackage({ value, root: ['handoff'], problems }, world);
}

function acknowledgmentReport(value: unknown): LintReport {
  const root = ['acknowledgment'];
  const problems = schemaProblems(Acknowledgment, value).map((problem) =>
    schemaFinding(problem, [...root, ...problem.path]),
  );
  const { findings } = placeholderFindings(value, root, []);
  const unusable = [...findings, ...problems];
  const refused = unusable.length > 0 ? [] : contradictions(Acknowledgment.parse(value));
  return { ...NO_REPORT, findings: [...unusable, ...refused, ...secretFindings(value, root)] };
}

/** Returns a finding if the server would refuse this acknowledgment for every package. */
function contradictions(written: ReturnType<typeof Acknowledgment.parse>): readonly LintFinding[] {
  const why = (message: string, fix: string) => [{ ...found('HP002', ['acknowledgment'], message), fix }];
  if (written.action === 'decline')
    return why(
      'An acknowledgment cannot decline a package.',
      'Decline the package with: baton package decline ID --code capability --reason TEXT',
    );
  const judged = validateAcknowledgment(normalized(written), { findings: [], blocked: false, unusable: [] }, 0);
  return judged.kind === 'refused' ? why('The server refuses this acknowledgment.', judged.why) : [];
}

function resultOf({
  file,
  kind,
  findings,
  report,
  hash,
}: {
  readonly file: string;
  readonly kind: LintResult['kind'];
  readonly findings: readonly (LintFinding & { readonly line: number | null })[];
  readonly report: LintReport;
  readonly hash: string | null;
}): LintResult {
  const count = (severity: LintFinding['severity']) => findings.filter((each) => each.severity === severity).length;
  return {
    file,
    kind,
    ok: count('error') === 0,
    type: report.type ?? null,
    type_by: report.typeBy,
    errors: count('error'),
    warnings: count('warning'),
    hints: count('info'),
    findings: findings.map(({ rule, severity, pointer, line, message, fix }) => ({
      rule,
      severity,
      pointer,
      line,
      message,
      fix,
    })),
    skipped: report.skipped.map(({ rule, needs }) => ({ rule, needs })),
    content_sha256: hash,
  };
}
