import { stringify } from 'yaml';
import { CLEAN, type Sample } from './clean-packages.ts';
import { DEFECTS, type Defect, TEXT_DEFECTS } from './defects.ts';

export interface Labelled {
  readonly name: string;
  readonly yaml: string;
  /** Empty: clean. */
  readonly defects: readonly { readonly rule: string; readonly at: string; readonly name: string }[];
}

type Handoff = Record<string, unknown>;

/** The same corpus every time: what is chosen follows from the place in the list. */
export function corpus(): readonly Labelled[] {
  const spoiled = [...spoiledOnce(), ...spoiledTwice(), ...spoiledText()];
  return [...cleanOnes(spoiled.length), ...spoiled];
}

/** Ways of writing the same content that must make no difference. */
const STYLES = [
  {},
  { lineWidth: 60 },
  { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' },
  { indent: 4 },
  { collectionStyle: 'flow' },
  { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' },
] as const;

const write = (handoff: Handoff, style: number): string =>
  stringify({ handoff }, { ...(STYLES[style % STYLES.length] ?? {}), aliasDuplicateObjects: false });

/** Content that may come and go without making a package less clean. */
const VARIANTS: readonly ((handoff: Handoff) => Handoff)[] = [
  (handoff) => handoff,
  (handoff) => ({ protocol: 'handoff/1', id: 'HO-2026-031', timestamp: '2026-01-15T14:30:00+01:00', ...handoff }),
  (handoff) => ({ ...handoff, extensions: { 'org.example.tracker': { ticket: 'SHOP-112' } } }),
  (handoff) => ({
    ...handoff,
    context: { ...(handoff.context as Handoff), assumptions: ['The staging data is from 2025-12-01'] },
  }),
  (handoff) => ({
    ...handoff,
    context: { ...(handoff.context as Handoff), dead_ends: ['Retrying with a longer timeout: 3 of 5 still failed'] },
  }),
];

function cleanOnes(count: number): readonly Labelled[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, handoff } = at(CLEAN, index);
    const variant = Math.floor(index / CLEAN.length);
    const written = write(at(VARIANTS, variant)(handoff), index + variant);
    return { name: `clean ${index}: ${name}`, yaml: written, defects: [] };
  });
}

/** Every defect, in the first package after its place that can have it. */
function spoiledOnce(): readonly Labelled[] {
  return DEFECTS.map((defect, index) => {
    const { name, handoff } = hostOf([defect], index * 3);
    return labelled(`${defect.name} in ${name}`, write(handoff, index), [defect]);
  });
}

/** Two that have nothing to do with each other. */
function spoiledTwice(): readonly Labelled[] {
  const first = DEFECTS.filter(
    ({ at: place }) => place.startsWith('/context/summary') || place === '/expectations/deliverable',
  );
  const second = DEFECTS.filter(({ at: place }) => /artifacts|assumptions|decisions|open_questions\/0/.test(place));
  return first.flatMap((one, index) => {
    const other = at(second, index * 5);
    const host = one.rule === 'HP006' ? undefined : hostOf([one, other], index * 7);
    return host === undefined
      ? []
      : [labelled(`${one.name} and ${other.name}`, write(host.handoff, index), [one, other])];
  });
}

function spoiledText(): readonly Labelled[] {
  return TEXT_DEFECTS.map(({ name, spoil }, index) => ({
    name,
    yaml: spoil(write(at(CLEAN, index * 2).handoff, 0)),
    defects: [{ rule: 'HP001', at: '', name }],
  }));
}

function hostOf(defects: readonly Defect[], from: number): Sample {
  for (let tried = 0; tried < CLEAN.length; tried++) {
    const { name, handoff } = at(CLEAN, from + tried);
    const spoiled = defects.reduce<Handoff | undefined>((now, { spoil }) => now && spoil(now), handoff);
    if (spoiled !== undefined) return { name, handoff: spoiled };
  }
  throw new Error(`no package can have: ${defects.map(({ name }) => name).join(', ')}`);
}

const labelled = (name: string, yaml: string, defects: readonly Defect[]): Labelled => ({
  name,
  yaml,
  defects: defects.map((defect) => ({ rule: defect.rule, at: defect.at, name: defect.name })),
});

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
