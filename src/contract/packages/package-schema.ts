import { z } from 'zod';
import { HUMAN, PACKAGE_TYPES, type PackageType } from '../../domain/packages/content/package.ts';
import { REQUIRED_FIELDS } from '../../domain/packages/content/required-fields.ts';
import { PackageFile } from './package.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema 2020-12 of a package file, for editors and other programs. An agent can read this schema as an MCP
 * resource, and the id of the schema is the URI of that resource.
 */
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

/** Returns the JSON Schema rule for one package type: which fields the type requires and which fields it forbids. */
const typeRule = (type: PackageType): Schema => ({
  if: { properties: { type: { const: type } }, required: ['type'] },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema; nothing awaits a schema
  then: neededBy(type),
});

function neededBy(type: PackageType): Schema {
  // Skip fields that every type requires, because the common schema already requires them.
  const own = REQUIRED_FIELDS.filter(
    ({ orElse, need }) => orElse === undefined && PACKAGE_TYPES.some((each) => need[each] !== 'R'),
  );
  const parts = own.flatMap(({ path, need }): Schema[] => {
    if (need[type] === 'R') return [present(path)];
    return need[type] === 'X' ? [{ not: present(path) }] : [];
  });
  return { allOf: parts };
}

/** Requires the field. A list must not be empty, because an empty list would mean "none". */
const present = ([key = '', ...rest]: readonly string[]): Schema => ({
  required: [key],
  properties: { [key]: rest.length === 0 ? { minItems: 1 } : present(rest) },
});

/** Requirements that follow from a block of the package, such as `gate`, even if the package declares no type. */
const SHAPES: readonly Schema[] = [
  {
    if: { required: ['gate'] },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema; nothing awaits a schema
    then: { allOf: [{ properties: { to: { properties: { agent: { const: HUMAN } } } } }, neededBy('gate')] },
  },
];
