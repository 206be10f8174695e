import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { LOOK_BOUNDS, readArtifactFacts } from '../../src/adapters/files/artifact-facts.ts';
import type { LintResult } from '../../src/contract/packages/lint.ts';
import type { ArtifactsSeen } from '../../src/domain/packages/content/artifact-seen.ts';
import { lintText } from '../../src/main/lint-file.ts';

/**
 * The time that the bench passes to the lint as the current time. This time is later than every date in the measured
 * packages.
 */
const NOW = '2026-12-31T12:00:00Z';

export interface SetMeasured {
  readonly name: string;
  readonly kept_aside: boolean;
  readonly good: number;
  readonly bad: number;
  readonly structural: number;
  readonly structural_caught: number;
  readonly vague: number;
  readonly vague_caught: number;
  readonly blocked_clean: number;
  readonly warned_clean: number;
}

interface Labels {
  readonly kept_aside?: boolean;
  readonly bad: Readonly<Record<string, { readonly kind: 'structural' | 'vague'; readonly defect: string }>>;
}

export interface Measurement {
  readonly result: SetMeasured;
  /**
   * The packages that the lint judged wrongly: bad packages without a serious finding, and good packages with a serious
   * finding.
   */
  readonly wrong: readonly string[];
}

/**
 * Measures one set of packages in a folder with `good/`, `bad/`, `labels.json` and `files.txt` (the paths in the
 * project).
 */
export async function measure(folder: string, name: string): Promise<Measurement> {
  const labels = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as Labels;
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'baton-bench-lint-')));
  try {
    makeFiles(project, readFileSync(join(folder, 'files.txt'), 'utf8').split('\n'));
    const good = await lintAll(join(folder, 'good'), project);
    const bad = await lintAll(join(folder, 'bad'), project);
    const of = (kind: 'structural' | 'vague') => bad.filter(({ id }) => labels.bad[id]?.kind === kind);
    const isCaught = ({ result }: Linted): boolean => result.errors + result.warnings > 0;
    return {
      result: {
        name,
        kept_aside: labels.kept_aside ?? false,
        good: good.length,
        bad: bad.length,
        structural: of('structural').length,
        structural_caught: of('structural').filter(isCaught).length,
        vague: of('vague').length,
        vague_caught: of('vague').filter(isCaught).length,
        blocked_clean: good.filter(({ result }) => result.errors > 0).length,
        warned_clean: good.filter(({ result }) => result.warnings > 0).length,
      },
      wrong: [
        ...bad
          .filter((each) => !isCaught(each))
          .map(({ id }) => `missed ${name}/bad/${id}: ${labels.bad[id]?.kind}: ${labels.bad[id]?.defect}`),
        ...good.filter(isCaught).map(({ id, result }) => `alarm  ${name}/good/${id}: ${told(result)}`),
      ],
    };
  } finally {
    rmSync(project, { recursive: true });
  }
}

interface Linted {
  readonly id: string;
  readonly result: LintResult;
}

async function lintAll(folder: string, project: string): Promise<readonly Linted[]> {
  const files = readdirSync(folder).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const artifacts = await look(project, text);
      const result = lintText(file, text, { now: NOW, disk: { artifacts, changed: null } });
      return { id: file.replace(/\.yaml$/, ''), result };
    }),
  );
}

async function look(project: string, text: string): Promise<ArtifactsSeen> {
  const paths = pathsIn(text);
  const seen = paths.map(async (path) => [path, await readArtifactFacts(project, path, { ...LOOK_BOUNDS })] as const);
  return Object.fromEntries(await Promise.all(seen));
}

function pathsIn(text: string): readonly string[] {
  try {
    const artifacts: unknown = parse(text)?.handoff?.context?.artifacts;
    return (Array.isArray(artifacts) ? artifacts : []).flatMap((each) =>
      typeof each?.path === 'string' ? [each.path] : [],
    );
  } catch {
    return [];
  }
}

function makeFiles(project: string, paths: readonly string[]): void {
  for (const path of paths.map((each) => each.trim()).filter((each) => each !== '')) {
    const place = join(project, path);
    // Write nothing outside the project: some packages name such a path as their defect.
    if (!place.startsWith(`${project}/`)) continue;
    mkdirSync(path.endsWith('/') ? place : dirname(place), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(place, 'content\n');
  }
}

const told = ({ findings }: LintResult): string =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, rule, pointer }) => `${severity} ${rule} ${pointer}`)
    .join(', ');
