import { canonicalJson } from '../content/canonical-json.ts';
import type { PackageType } from '../content/package.ts';
import { declaredType, inferType } from '../content/package-type.ts';
import { type AgentCard, type ChainWorld, chainFindings, receiverFindings } from './chain.ts';
import { type DiskWorld, diskFindings, unlistedChanges } from './disk-rules.ts';
import { type LintFinding, pointerOf, type SchemaProblem, type Waiver } from './finding.ts';
import { found, schemaFinding } from './finding-builder.ts';
import { artifactFindings, mentionFindings } from './path-rules.ts';
import { placeholderFindings } from './placeholders.ts';
import { NEVER_WAIVED, type Needs, RULE_IDS, RULES, type RuleId } from './rules.ts';
import { foreignTextFindings, holdsSecret, randomTextFindings, secretFindings } from './secrets.ts';
import {
  decisionFindings,
  doubledFindings,
  missingField,
  timeFindings,
  typeFindings,
  verifyFindings,
  workflowFindings,
} from './structure.ts';
import { lengthFindings, proseFindings, vagueFindings } from './texts.ts';
import { type PackageView, type Path, viewOf } from './view.ts';

/** The data that the lint has in addition to the package. Without a Baton server, this data is only the time. */
export interface LintWorld {
  readonly now: string;
  readonly chain?: ChainWorld;
  readonly agents?: readonly AgentCard[];
  readonly disk?: DiskWorld;
  readonly waivers?: readonly Waiver[];
}

export interface LintReport {
  /**
   * The type of the package. If the type is undefined, it could not be determined, so only the rules for all types were
   * applied.
   */
  readonly type: PackageType | undefined;
  readonly typeBy: 'declared' | 'inferred' | 'unknown';
  /** The findings, sorted by severity (most severe first), then by rule. */
  readonly findings: readonly LintFinding[];
  /** Errors that a person has accepted with a waiver. */
  readonly waived: readonly { readonly finding: LintFinding; readonly waiver: Waiver }[];
  readonly skipped: readonly { readonly rule: RuleId; readonly needs: Needs }[];
}

/** True if the findings contain no errors (SPEC P12). Only errors prevent sealing. */
export const mayBeSealed = ({ findings }: LintReport): boolean =>
  findings.every(({ severity }) => severity !== 'error');

/**
 * The input of the lint. `value` was read from a file or a call. `root` is the path of the package inside this value.
 * `problems` are the violations of the package's schema.
 */
export interface Linted {
  readonly value: unknown;
  readonly root: Path;
  readonly problems: readonly SchemaProblem[];
}

export function lintPackage({ value, root, problems }: Linted, world: LintWorld): LintReport {
  const type = declaredType(value) ?? inferType(value, world.chain);
  const view = viewOf(value, type, root);
  const { findings: placeholders, rest } = placeholderFindings(value, root, problems);
  const silent = new Set(placeholders.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer));
  const all = withoutSecrets([
    ...rest.map((problem) => problemFinding(problem, root)),
    ...packageFindings(view, root, world),
    ...(world.chain === undefined ? [] : chainFindings(view, root, world.chain)),
    ...(world.agents === undefined ? [] : receiverFindings(view, root, world.agents)),
    ...(world.disk === undefined ? [] : diskFindings(view, root, world.disk)),
  ]).filter(({ pointer, rule }) => rule === 'HP701' || !silent.has(pointer));
  return {
    type,
    typeBy: declaredType(value) !== undefined ? 'declared' : type === undefined ? 'unknown' : 'inferred',
    ...waive(onlyOnce(inOrder([...placeholders, ...all])), world),
    skipped: skippedRules(world),
  };
}

function packageFindings(view: PackageView, root: Path, { now, chain, disk }: LintWorld): readonly LintFinding[] {
  return [
    ...timeFindings(view, root, now),
    ...typeFindings(view, root, chain),
    ...verifyFindings(view),
    ...vagueFindings(view, root),
    ...proseFindings(view),
    ...lengthFindings(view),
    ...artifactFindings(view),
    ...mentionFindings(view, disk === undefined ? [] : unlistedChanges(view, disk)),
    ...decisionFindings(view),
    ...doubledFindings(view),
    ...workflowFindings(view, root),
    ...secretFindings(view.raw, root),
    ...randomTextFindings(view.raw, root),
    ...foreignTextFindings(view.prose),
    ...budgetFindings(view, root),
  ];
}

const problemFinding = (problem: SchemaProblem, root: Path): LintFinding =>
  problem.kind === 'missing'
    ? missingField(root, problem.path, problem.message)
    : schemaFinding(problem, [...root, ...problem.path]);

const BUDGET = { wanted: 1_500, most: 4_000 };

/** Checks the size of the package, estimated at four characters per token (lint rule HP104). */
function budgetFindings({ raw }: PackageView, root: Path): readonly LintFinding[] {
  const tokens = Math.ceil(canonicalJson(raw).length / 4);
  if (tokens <= BUDGET.wanted) return [];
  return [found('HP104', root, `The package has about ${tokens} tokens.`, tokens > BUDGET.most ? 'warning' : 'info')];
}

/**
 * If the location of a finding contains a secret, replaces it by the location of the root of the file (SPEC P11). A
 * location is a JSON pointer, which consists of keys, and a key may be a secret.
 */
function withoutSecrets(findings: readonly LintFinding[]): readonly LintFinding[] {
  return findings.map((finding) =>
    !holdsSecret({ told: finding.pointer }) ? finding : { ...finding, pointer: pointerOf([]) },
  );
}

/** Keeps only the most severe finding for each rule and location. */
function onlyOnce(findings: readonly LintFinding[]): readonly LintFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, pointer }) => {
    const key = `${rule} ${pointer}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

const WEIGHT = { error: 0, warning: 1, info: 2 } as const;

const inOrder = (findings: readonly LintFinding[]): readonly LintFinding[] =>
  [...findings].sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || (a.rule < b.rule ? -1 : 1));

/** Divides the findings into errors that a person has waived and all other findings (SPEC P13). */
function waive(all: readonly LintFinding[], { waivers = [], now }: LintWorld): Pick<LintReport, 'findings' | 'waived'> {
  const waiverOf = ({ rule, pointer, severity }: LintFinding): Waiver | undefined =>
    severity !== 'error' || NEVER_WAIVED.has(rule)
      ? undefined
      : waivers.find(
          (waiver) =>
            waiver.rule === rule &&
            (waiver.pointer ?? pointer) === pointer &&
            waiver.by.trim() !== '' &&
            waiver.why.trim() !== '' &&
            Date.parse(waiver.until) > Date.parse(now),
        );
  return {
    findings: all.filter((finding) => waiverOf(finding) === undefined),
    waived: all.flatMap((finding) => {
      const waiver = waiverOf(finding);
      return waiver === undefined ? [] : [{ finding, waiver }];
    }),
  };
}

function skippedRules(world: LintWorld): LintReport['skipped'] {
  const atHand: readonly Needs[] = [
    'package',
    ...(world.chain === undefined ? [] : ['chain' as const]),
    ...(world.agents === undefined ? [] : ['agents' as const]),
    ...(world.disk === undefined ? [] : ['disk' as const]),
  ];
  return RULE_IDS.filter((rule) => !atHand.includes(RULES[rule].needs)).map((rule) => ({
    rule,
    needs: RULES[rule].needs,
  }));
}
