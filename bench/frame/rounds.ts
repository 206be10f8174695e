import { median, short } from './statistics.ts';

export interface Compared {
  /**
   * The median of the floor prototype's results. The floor prototype is a minimal program that Baton is compared with.
   */
  readonly floor: number;
  readonly product: number;
  /**
   * The median of all rounds' ratios. A round's ratio is Baton's result divided by the floor prototype's result. This
   * median may differ from the ratio of the two medians.
   */
  readonly ratio: number;
  /** The ratio of each round, which shows how steady the machine was. */
  readonly ratios: readonly number[];
}

type Side = (round: number) => Promise<void>;

/**
 * Measures the floor prototype (a minimal program for comparison) and Baton in turns, so that a slow phase of the
 * machine slows both. Every second round begins with Baton, because the program that is measured second finds the
 * machine warmed up by the first one.
 */
export async function takeTurns(rounds: number, floor: Side, product: Side): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? [floor, product] : [product, floor]) await side(round);
}

/**
 * Measures one number in every round, once for the floor prototype (a minimal program for comparison) and once for
 * Baton.
 */
export async function interleave(
  rounds: number,
  floor: (round: number) => Promise<number>,
  product: (round: number) => Promise<number>,
): Promise<Compared> {
  const floors: number[] = [];
  const products: number[] = [];
  await takeTurns(
    rounds,
    async (round) => void floors.push(await floor(round)),
    async (round) => void products.push(await product(round)),
  );
  return compare(floors, products);
}

/**
 * Compares the results of Baton with those of the floor prototype (a minimal program for comparison), round by round.
 */
export function compare(floors: readonly number[], products: readonly number[]): Compared {
  const ratios = products.map((product, round) => product / (floors[round] ?? Number.NaN));
  return {
    floor: short(median(floors)),
    product: short(median(products)),
    ratio: short(median(ratios)),
    ratios: ratios.map(short),
  };
}
