/** Reads packages and writes new packages. Uses only the terms of the protocol, and none of Baton's types. */

interface Named {
  readonly id: string;
  readonly text: string;
}

export interface Row {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly state: string;
}

export interface Package extends Row {
  readonly decision?: { readonly reason?: string } | null;
  readonly criteria: readonly Named[];
  readonly package: {
    readonly context: { readonly summary: string };
    readonly expectations?: { readonly deliverable?: string; readonly constraints?: readonly (string | Named)[] };
  };
}

export interface Received {
  readonly package: Package;
}

const wantedOf = (each: Package): string => each.package.expectations?.deliverable ?? each.package.context.summary;

/** The constraints and criteria of a package, as sentences. */
const pointsOf = (each: Package): readonly string[] => [
  ...(each.package.expectations?.constraints ?? []).map((item) => (typeof item === 'string' ? item : item.text)),
  ...each.criteria.map(({ text }) => text),
];

export const acknowledgement = (each: Package) => ({
  id: each.id,
  acknowledgment: {
    received: true,
    from: each.from,
    understood: { level: 'full', task: `I understood the task as: ${wantedOf(each)}` },
    questions: [],
    blockers: [],
    action: 'start',
    starting: true,
  },
});

export const report = (each: Package): string =>
  [
    `# ${wantedOf(each)}`,
    '',
    `For ${each.from}, after ${each.id}.`,
    '',
    ...pointsOf(each).map((text) => `- ${text} - looked at, holds.`),
    '',
  ].join('\n');

export const resultsOf = (each: Package, path: string) =>
  each.criteria.map(({ id }) => ({ id, result: 'pass', evidence: `${path} names ${id}` }));

const artifact = (path: string) => ({ path, type: 'doc', description: 'What was asked for', role: 'created' });

export const returnOf = (each: Package, path: string) => ({
  key: `return-${each.id}`,
  package: {
    context: {
      summary: `I checked ${pointsOf(each).length} points of ${each.id} and wrote the findings to ${path}.`,
      artifacts: [artifact(path)],
      decisions: [],
      open_questions: [],
    },
    criteria_results: resultsOf(each, path),
  },
});

export const delegation = (each: Package, path: string, to: string) => ({
  key: `delegation-${each.id}`,
  package: {
    type: 'delegation',
    from: { agent: each.to },
    to: { agent: to, reason: `Must review ${path} before the work is complete` },
    context: {
      summary: `I wrote ${path} for ${each.id}. The file covers ${pointsOf(each).length} points of that package.`,
      artifacts: [artifact(path)],
      open_questions: [],
    },
    expectations: {
      deliverable: `Findings about ${path}`,
      success_criteria: [`Every point of ${path} has a finding`],
    },
    lineage: { parent: each.id },
  },
});

/**
 * Returns a gate for a package. After a rejection the agent sends a second gate for the same package, so the suffix
 * `round` makes the keys of the two gates different.
 */
export const gate = (each: Package, path: string, name: string, round: string) => ({
  key: `gate-${each.id}${round}`,
  package: {
    from: { agent: each.to },
    to: { agent: 'human', reason: `BLOCKING gate: ${name}` },
    gate: { type: 'blocking', name, contact: 'operator' },
    context: {
      summary: `I wrote ${path} for ${each.id}, and another agent reviewed the file.`,
      artifacts: [artifact(path)],
      open_questions: [],
    },
    validation_request: {
      items: [`${path} contains the result that ${each.id} asks for`],
      options: { approve: 'The package is completed', reject: 'It is written anew', question: 'It is explained' },
    },
    lineage: { parent: each.id },
  },
});

/** Returns a package that names no receiver, because the workflow determines the next agent. */
export const next = (each: Package, path: string, reason: string) => ({
  key: `next-${each.id}`,
  package: {
    from: { agent: each.to },
    to: { reason },
    context: { summary: `I wrote ${path} for ${each.id}.`, artifacts: [artifact(path)], open_questions: [] },
  },
});
