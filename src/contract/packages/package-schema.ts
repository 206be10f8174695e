import { z } from 'zod';
import { HUMAN, PACKAGE_TYPES, type PackageType } from '../../domain/packages/content/package.ts';
import { REQUIRED_FIELDS } from '../../domain/packages/content/required-fields.ts';
import { PackageFile } from './package.ts';

type Schema = Readonly<Record<string, unknown>>;

/** JSON Schema 2020-12 of a package file, for editors and other programs. The id is the address of the MCP resource, too. */
export function packageJsonSchema(): object {
  const { $schema, $defs, ...rest } = z.toJSONSchema(PackageFile, { target: 'draft-2020-12', io: 'input' });
  const { PackageInput, ...others } = ($defs ?? {}) as Record<string, object>;
  return {
    $schema,
    $id: 'handoff://schema/1',
    ...rest,
    $defs: { ...others, PackageInput: { ...PackageInput, allOf: [...PACKAGE_TYPES.map(typeRule), ...SHAPES] } },
  };
}

/** The fields that a named type requires and forbids. */
const typeRule = (type: PackageType): Schema => ({
  if: { properties: { type: { const: type } }, required: ['type'] },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema; nothing awaits a schema
  then: neededBy(type),
});

function neededBy(type: PackageType): Schema {
  // The common schema has the fields that every type requires.
  const own = REQUIRED_FIELDS.filter(
    ({ orElse, need }) => orElse === undefined && PACKAGE_TYPES.some((each) => need[each] !== 'R'),
  );
  const parts = own.flatMap(({ path, need }): Schema[] => {
    if (need[type] === 'R') return [present(path)];
    return need[type] === 'X' ? [{ not: present(path) }] : [];
  });
  return { allOf: parts };
}

/** An empty list says "none". */
const present = ([key = '', ...rest]: readonly string[]): Schema => ({
  required: [key],
  properties: { [key]: rest.length === 0 ? { minItems: 1 } : present(rest) },
});

/** The requirements that follow from blocks and parties if no type is named. */
const SHAPES: readonly Schema[] = [
  {
    if: { required: ['gate'] },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema; nothing awaits a schema
    then: { allOf: [{ properties: { to: { properties: { agent: { const: HUMAN } } } } }, neededBy('gate')] },
  },
];
