import { lintText } from '../../src/main/lint-file.ts';
import type { Labelled } from './corpus.ts';

export interface LintMeasured {
  readonly packages: number;
  readonly clean: number;
  readonly defects: number;
  readonly caught: number;
  readonly catch_rate: number;
  /** Errors that nobody planted, wherever. */
  readonly false_alarms: number;
  readonly clean_blocked: number;
  readonly rules: Readonly<Record<string, { readonly defects: number; readonly caught: number }>>;
}

export interface LintMeasurement {
  readonly result: LintMeasured;
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
}

const NOW = '2026-02-01T12:00:00Z';

/** Caught: an error of the very rule at the very place. */
export function measure(packages: readonly Labelled[]): LintMeasurement {
  const rules: Record<string, { defects: number; caught: number }> = {};
  const missed: string[] = [];
  const alarms: string[] = [];
  let blocked = 0;
  for (const { name, yaml, defects } of packages) {
    const errors = lintText(name, yaml, NOW).findings.filter(({ severity }) => severity === 'error');
    const isOf = (error: (typeof errors)[number], defect: (typeof defects)[number]): boolean =>
      error.rule === defect.rule && error.pointer.endsWith(defect.at);
    for (const defect of defects) {
      const count = rules[defect.rule] ?? { defects: 0, caught: 0 };
      rules[defect.rule] = count;
      count.defects++;
      if (errors.some((error) => isOf(error, defect))) count.caught++;
      else
        missed.push(
          `${name}: ${defect.name} (found ${errors.map(({ rule, pointer }) => `${rule} ${pointer}`).join(', ') || 'no error'})`,
        );
    }
    const unplanted = errors.filter((error) => !defects.some((defect) => isOf(error, defect)));
    alarms.push(...unplanted.map(({ rule, pointer }) => `${name}: ${rule} ${pointer}`));
    if (defects.length === 0 && errors.length > 0) blocked++;
  }
  const all = Object.values(rules);
  const defects = all.reduce((sum, rule) => sum + rule.defects, 0);
  const caught = all.reduce((sum, rule) => sum + rule.caught, 0);
  const result = {
    packages: packages.length,
    clean: packages.filter((each) => each.defects.length === 0).length,
    defects,
    caught,
    catch_rate: Math.round((caught / Math.max(defects, 1)) * 1000) / 1000,
    false_alarms: alarms.length,
    clean_blocked: blocked,
    rules: Object.fromEntries(Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return { result, missed, alarms };
}
