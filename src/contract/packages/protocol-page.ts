import { z } from 'zod';
import { PACKAGE_TYPES } from '../../domain/packages/content/package.ts';
import { REQUIRED_FIELDS } from '../../domain/packages/content/required-fields.ts';
import { RULE_IDS, RULES } from '../../domain/packages/lint/rules.ts';
import { Acknowledgment, PackageInput, SealedPackage } from './package.ts';
import { PACKAGE_TOOLS, TOOL_INSTRUCTIONS, TOOL_RESOURCES, TOOLS, toolSchema } from './package-tools.ts';
import { WorkflowFile } from './workflow.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Generates docs/PROTOCOL.md from the schema and the rules. A test fails if the file is out of date. */
export function protocolPage(): string {
  return `${[
    '# The handoff protocol',
    '',
    'Generated from `src/contract/packages/package.ts` and `src/domain/packages` by `npm run docs:protocol`. Do not edit it by hand.',
    'The meaning of the rules is in `src/domain/packages/SPEC.md`, the JSON Schema in `docs/handoff-package.schema.json`',
    '(also: `baton lint --schema`). A file is YAML with the root key `handoff`, or `acknowledgment`. `*`: required.',
    '',
    '## A package, as its author writes it',
    '',
    ...fieldTable(PackageInput),
    '',
    '## Fields that Baton adds when it seals the package',
    '',
    ...fieldTable(SealedPackage, new Set(Object.keys(PackageInput.shape))),
    '',
    '## Required fields by type',
    '',
    'R: required. W: wanted; a missing field is a warning, and an empty list means "none". X: forbidden. Every type needs a summary and a reason.',
    '',
    row(['field', ...PACKAGE_TYPES]),
    row(['---', ...PACKAGE_TYPES.map(() => '---')]),
    ...REQUIRED_FIELDS.map(({ path, need }) =>
      row([`\`${path.join('.')}\``, ...PACKAGE_TYPES.map((type) => need[type])]),
    ),
    '',
    '## An acknowledgment',
    '',
    ...fieldTable(Acknowledgment),
    '',
    '## MCP tools',
    '',
    'The tools that `baton mcp` gives an agent inside its session (server `baton`, with the token of the agent). The fields are the same as in the API;',
    '`package` and `acknowledgment` are as above, with all their fields. No tool decides a gate. An agent gets these instructions once:',
    '',
    `> ${TOOL_INSTRUCTIONS}`,
    '',
    row(['tool', 'takes', 'description']),
    row(['---', '---', '---']),
    ...PACKAGE_TOOLS.map((name) => row([`\`${name}\``, takes(toolSchema(name)), TOOLS[name].description])),
    '',
    row(['resource', 'description']),
    row(['---', '---']),
    ...TOOL_RESOURCES.map(({ uri, description }) => row([`\`${uri}\``, description])),
    '',
    '## A workflow',
    '',
    'The file `.project/workflow.yaml` of a project, with the root key `workflow`; `baton workflow check FILE` validates it, `baton workflow show`',
    'shows the position of its packages. Nothing in it is executed. Baton fills in the next receiver, the state and the deliverable, opens',
    'the gates, and starts the next agent (P27 to P30).',
    '',
    ...fieldTable(WorkflowFile),
    '',
    '## Lint rules',
    '',
    'A package with an error cannot be sealed; warnings and hints do not prevent it. `baton lint` skips a rule if the file',
    'alone is not enough to check the rule, and lists the rule as skipped.',
    '',
    row(['rule', 'severity', 'requirement', 'needs', 'fix']),
    row(['---', '---', '---', '---', '---']),
    ...RULE_IDS.map((id) => {
      const { weights, what, needs, fix } = RULES[id];
      return row([id, weights.join(', '), what, needs, fix]);
    }),
  ].join('\n')}\n`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const takes = ({ properties = {}, required = [] }: Schema): string =>
  Object.keys(properties)
    .map((field) => `\`${field}\`${required.includes(field) ? ' *' : ''}`)
    .join(', ') || '-';

function fieldTable(schema: z.ZodType, leftOut: ReadonlySet<string> = new Set()): readonly string[] {
  const { $ref, $defs, ...plain } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  const root = ($defs?.[$ref?.split('/').at(-1) ?? ''] ?? plain) as Schema;
  return [row(['field', 'form', 'meaning']), row(['---', '---', '---']), ...fieldRows(root, '', leftOut)];
}

function fieldRows(schema: Schema, prefix: string, leftOut: ReadonlySet<string>): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    if (leftOut.has(key)) return [];
    const name = `${prefix}${key}`;
    const isNeeded = schema.required?.includes(key) === true;
    return [
      row([`\`${name}\`${isNeeded ? ' *' : ''}`, formOf(field), field.description ?? '']),
      ...innerRows(field, name),
    ];
  });
}

function innerRows(field: Schema, name: string): readonly string[] {
  const none = new Set<string>();
  if (field.type === 'array') return innerRows(field.items ?? {}, `${name}[]`);
  const object = field.anyOf?.find(({ type }) => type === 'object') ?? field;
  return object.properties === undefined ? [] : fieldRows(object, `${name}.`, none);
}

function formOf(field: Schema): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map((value) => `\`${String(value)}\``).join(' ');
  if (field.anyOf !== undefined) return field.anyOf.map(formOf).join(' or ');
  if (field.type === 'array') return `list of ${formOf(field.items ?? {})}`;
  if (field.type === 'string') return field.format === 'date-time' ? 'time with a time zone' : 'text';
  return (
    { object: 'block', integer: 'whole number', boolean: 'true or false', null: 'null' }[field.type ?? ''] ?? 'any'
  );
}
