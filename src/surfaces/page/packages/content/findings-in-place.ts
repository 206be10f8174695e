import type { PackageInput } from '../../../../contract/packages/package.ts';
import type { PackageFinding } from '../../../../contract/packages/package-resources.ts';

/** The parts of a package that the page shows even if they are empty, so that findings about them can appear there. */
const ALWAYS = [
  '/to/reason',
  '/context/summary',
  '/context/decisions',
  '/context/artifacts',
  '/context/open_questions',
  '/expectations/deliverable',
  '/expectations/constraints',
  '/expectations/success_criteria',
];

const IF_PRESENT = ['/workflow_state', '/gate', '/validation_request', '/reason_code'];

/** The JSON pointers of all parts that the page shows separately. */
export function placesIn(content: PackageInput): ReadonlySet<string> {
  const { context, expectations, validation_request: asked, criteria_results: results } = content;
  const each = (place: string, list: readonly unknown[] | undefined): string[] =>
    list === undefined ? [] : [place, ...list.map((_, index) => `${place}/${index}`)];
  return new Set([
    ...ALWAYS,
    ...IF_PRESENT.filter((place) => Object.hasOwn(content, place.slice(1))),
    ...each('/context/decisions', context.decisions),
    ...each('/context/artifacts', context.artifacts),
    ...each('/context/open_questions', context.open_questions),
    ...each('/context/dead_ends', context.dead_ends),
    ...each('/context/assumptions', context.assumptions),
    ...each('/context/contingency', context.contingency),
    ...each('/expectations/constraints', expectations?.constraints),
    ...each('/expectations/success_criteria', expectations?.success_criteria),
    ...each('/validation_request/items', asked?.items),
    ...each('/criteria_results', results),
  ]);
}

export interface PlacedFindings {
  readonly at: (place: string) => readonly PackageFinding[];
  /** Findings about the whole package, or about a part that the page does not show. */
  readonly elsewhere: readonly PackageFinding[];
}

/**
 * Assigns each finding to one place on the page. A finding about a part that is not shown is assigned to the nearest
 * shown part that contains that part.
 */
export function placeFindings(findings: readonly PackageFinding[], places: ReadonlySet<string>): PlacedFindings {
  const byPlace = new Map<string, PackageFinding[]>();
  const elsewhere: PackageFinding[] = [];
  for (const finding of findings) {
    const place = placeOf(finding.pointer, places);
    if (place === undefined) elsewhere.push(finding);
    else byPlace.set(place, [...(byPlace.get(place) ?? []), finding]);
  }
  return { at: (place) => byPlace.get(place) ?? [], elsewhere };
}

/**
 * Returns the nearest shown part that contains the place to which the JSON pointer refers. Ignores the root key
 * `handoff` of a package's file.
 */
function placeOf(pointer: string, places: ReadonlySet<string>): string | undefined {
  const parts = pointer.split('/').slice(1);
  if (parts[0] === 'handoff') parts.shift();
  for (; parts.length > 0; parts.pop()) {
    const place = `/${parts.join('/')}`;
    if (places.has(place)) return place;
  }
  return undefined;
}
