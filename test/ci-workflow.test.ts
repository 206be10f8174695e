import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: { readonly 'node-version'?: string | number };
}

interface Job {
  readonly 'runs-on': string;
  readonly container?: string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node?: readonly number[]; readonly image?: readonly string[] } };
  readonly steps: readonly Step[];
}

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const text = read('.github/workflows/ci.yml');
const workflow: { permissions: unknown; jobs: Record<string, Job> } = parse(text, { strict: true, uniqueKeys: true });
const { scripts, engines }: { scripts: Record<string, string>; engines: { node: string } } = JSON.parse(
  read('package.json'),
);

const jobs = Object.entries(workflow.jobs);
const commands = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));

describe.each(jobs)('the CI job %s', (_, job) => {
  it('the CI job has a timeout', () => {
    expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  it('the CI job uses only actions of GitHub with a pinned major version', () => {
    for (const { uses } of job.steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
  });

  it('the CI job uploads artifacts only on failure', () => {
    for (const { uses, if: when } of job.steps) if (uses?.includes('artifact')) expect(when).toBe('failure()');
  });
});

it.each(['debian', 'macos'])(
  'the CI workflow runs `npm test` on %s with the oldest supported Node and with newer Node versions',
  (name) => {
    const { strategy, steps } = workflow.jobs[name]!;
    const oldest = Number(/^>=(\d+)/.exec(engines.node)?.[1]);
    expect(strategy?.matrix.node).toEqual(expect.arrayContaining([oldest, 22, 24]));
    expect(steps.some(({ with: given }) => given?.['node-version'] === '$' + '{{ matrix.node }}')).toBe(true);
    expect(steps.some(({ run }) => /^npm test\b/.test(run ?? ''))).toBe(true);
  },
);

it('the CI workflow runs `npm run prove` once, on Debian', () => {
  const proving = jobs.filter(([, { steps }]) => steps.some(({ run }) => run === 'npm run prove'));
  expect(proving.map(([, { container }]) => container)).toEqual([expect.stringMatching(/^debian:/)]);
});

it.each(commands.filter((command) => command.startsWith('npm')))(
  'the command %s of the CI workflow is a script in package.json',
  (command) => {
    const [, name = ''] = /^npm (?:run )?([\w:]+)/.exec(command) ?? [];
    expect(Object.keys(scripts)).toContain(name);
  },
);

it('the CI workflow has read-only permissions', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
});

it('a comment in the CI workflow file says that the workflow has never been run', () => {
  expect(text).toMatch(/^# Written, not run here:/);
});
