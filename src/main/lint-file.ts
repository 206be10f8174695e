import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { YAML_BOUNDS } from '../adapters/yaml/yaml-bounds.ts';
import type { LintResult, LintResults } from '../contract/lint.ts';
import { Acknowledgment, PackageInput, SealedPackage } from '../contract/package.ts';
import { schemaProblems } from '../contract/package-problems.ts';
import { canonicalJson } from '../domain/package/canonical-json.ts';
import { type LintFinding, pathOf } from '../domain/package/lint/finding.ts';
import { found } from '../domain/package/lint/found.ts';
import { type LintReport, type LintWorld, lintPackage } from '../domain/package/lint/lint-package.ts';
import { secretFindings } from '../domain/package/lint/secrets.ts';
import { CliFault, EXIT } from '../surfaces/cli/cli-fault.ts';
import { expandFiles, isGlob } from './expand-files.ts';

/** For the command line, without the server: each file alone is judged. One file by its name is one result; else they are a list. */
export function lintFiles(names: readonly string[]): LintResult | LintResults {
  const files = expandFiles(names).map((file) => lintText(file, readBounded(file)));
  const [only] = files;
  return only !== undefined && names.length === 1 && !names.some(isGlob) ? only : { files };
}

/** For what is sent to the server: it is refused here if it is no strict YAML. */
export function readYaml(file: string): unknown {
  const parsed = parseStrictYaml(readBounded(file));
  if (!('problem' in parsed)) return parsed.value;
  const { sentence, line } = parsed.problem;
  throw new CliFault(`${file} is not sent: HP001${line === undefined ? '' : ` line ${line}`}: ${sentence}`, {
    code: 'package_refused',
  });
}

/** One byte more than allowed is enough to know; what is no regular file may never end. */
export function readBounded(file: string): string {
  try {
    // A pipe that nobody writes to would keep us waiting.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(handle).isFile()) throw new Error('it is no regular file');
      const bytes = Buffer.alloc(YAML_BOUNDS.bytes + 1);
      return decoded(bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0)));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new CliFault(`${file} cannot be read: ${(error as Error).message}. Name a file of YAML.`, {
      code: 'unreadable',
      exitCode: EXIT.usage,
    });
  }
}

/** Whatever is too large is not looked at any further, so where it was cut does not matter. */
function decoded(bytes: Buffer): string {
  if (bytes.length > YAML_BOUNDS.bytes) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8 text');
  }
}

export function lintText(file: string, text: string, world: Partial<LintWorld> = {}): LintResult {
  const parsed = parseStrictYaml(text);
  if ('problem' in parsed) {
    const { sentence, line } = parsed.problem;
    const finding = { ...found('HP001', [], sentence), line: line ?? null };
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

/** A file has one root key, which says what it is. */
function judge(value: unknown, world: LintWorld): Judged {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const root = keys.find((key) => key === 'handoff' || key === 'acknowledgment');
  if (root === undefined) {
    const finding = found('HP002', [], 'The file has neither handoff nor acknowledgment as its root key.');
    return { kind: 'unknown', value, report: { ...NO_REPORT, findings: [finding, ...secretFindings(value, [])] } };
  }
  const inner = (value as Record<string, unknown>)[root];
  const others = keys
    .filter((key) => key !== root)
    .map(() => found('HP002', [], `Beside ${root} there is another root key.`));
  const report = root === 'handoff' ? lintInner(inner, world) : acknowledgmentReport(inner);
  return {
    kind: root as 'handoff' | 'acknowledgment',
    value: inner,
    report: { ...report, findings: [...others.slice(0, 1), ...report.findings] },
  };
}

/** What was sealed says so by its integrity block, and must then be whole. */
function lintInner(value: unknown, world: LintWorld): LintReport {
  const isSealed = typeof value === 'object' && value !== null && 'integrity' in value;
  const problems = schemaProblems(isSealed ? SealedPackage : PackageInput, value);
  return lintPackage({ value, root: ['handoff'], problems }, world);
}

function acknowledgmentReport(value: unknown): LintReport {
  const root = ['acknowledgment'];
  const problems = schemaProblems(Acknowledgment, value).map(({ path, message }) =>
    found('HP002', [...root, ...path], message),
  );
  return { ...NO_REPORT, findings: [...problems, ...secretFindings(value, root)] };
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
