/**
 * Decodes a QR code from lines of a terminal, without the library that drew the code. Supports versions 2 to 5 with the
 * lowest error correction (one block) and bytes only. Unlike a camera, this function neither locates the code nor
 * corrects errors.
 */
export function readQrCode(lines: readonly string[]): string {
  const dark = modulesOf(lines);
  const size = dark.length;
  const version = (size - 17) / 4;
  if (![2, 3, 4, 5].includes(version)) throw new Error(`no QR code of ${size} modules is read here`);
  const isDark = (x: number, y: number): boolean => dark[y]?.[x] === true;
  const format = formatOf(isDark);
  if (format >> 3 !== 0b01) throw new Error('not the lowest error correction');
  const bits: number[] = [];
  for (const [x, y] of dataPlaces(size)) bits.push(Number(isDark(x, y) !== isMasked(format & 7, x, y)));
  const take = (count: number): number => Number.parseInt(bits.splice(0, count).join(''), 2);
  if (take(4) !== 0b0100) throw new Error('not in bytes');
  const length = take(8);
  return Buffer.from(Array.from({ length }, () => take(8))).toString('utf8');
}

/**
 * Reads the modules (the squares of the QR code) without the margin. A light module is a drawn character, and a dark
 * module is a blank.
 */
function modulesOf(lines: readonly string[]): boolean[][] {
  const rows = lines.flatMap((line) => [
    [...line].map((block) => block === ' ' || block === '▄'),
    [...line].map((block) => block === ' ' || block === '▀'),
  ]);
  const [margin = 0] = rows.flatMap((row, y) => (row.slice(0, -1).some((_, x) => x >= 2 && row[x]) ? [y] : []));
  const size = (rows[margin]?.length ?? 0) - 2 * margin;
  return rows.slice(margin, margin + size).map((row) => row.slice(margin, margin + size));
}

/**
 * Reads five of the fifteen format bits next to the first finder pattern, and removes the mask from these five bits.
 */
function formatOf(isDark: (x: number, y: number) => boolean): number {
  const places: readonly (readonly [number, number])[] = [
    [0, 8],
    [1, 8],
    [2, 8],
    [3, 8],
    [4, 8],
  ];
  return Number.parseInt(places.map(([x, y]) => Number(isDark(x, y))).join(''), 2) ^ 0b10101;
}

function isMasked(mask: number, x: number, y: number): boolean {
  const rules = [
    (x + y) % 2,
    y % 2,
    x % 3,
    (x + y) % 3,
    (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
    ((x * y) % 2) + ((x * y) % 3),
    (((x * y) % 2) + ((x * y) % 3)) % 2,
    (((x + y) % 2) + ((x * y) % 3)) % 2,
  ];
  return rules[mask] === 0;
}

/** Yields the positions of the data modules: in pairs of columns from the right, alternately upwards and downwards. */
function* dataPlaces(size: number): Generator<readonly [number, number]> {
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isFixed(size, x, y)) yield [x, y];
    }
    upwards = !upwards;
  }
}

function isFixed(size: number, x: number, y: number): boolean {
  const inFinder = (x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9);
  const inAlignment = Math.abs(x - (size - 7)) <= 2 && Math.abs(y - (size - 7)) <= 2;
  return inFinder || inAlignment || x === 6 || y === 6;
}
