import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import {
  CONTROL_CHARACTERS,
  type UnreadableContent,
  WITHOUT_CONTROLS,
} from '../../domain/packages/content/plain-data.ts';

export interface NodeProblem extends UnreadableContent {
  readonly offset: number;
}

/**
 * Allows only maps with string keys, lists, strings without control characters, numbers, booleans and null. A string in
 * double quotes can contain a control character that the file itself does not contain, such as "\\e[31m".
 */
export function plainProblem(node: ParsedNode | null): NodeProblem | undefined {
  if (node === null) return undefined;
  const offset = node.range[0];
  if (isAlias(node)) return { sentence: 'The file has an alias (*). Write out the value that it stands for.', offset };
  if (isScalar(node)) return scalarProblem(node.value, offset);
  if (isSeq(node)) return firstProblem(node.items as (ParsedNode | null)[]);
  if (!isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    const problem = keyProblem(key as ParsedNode | null, offset) ?? plainProblem(value as ParsedNode | null);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function scalarProblem(value: unknown, offset: number): NodeProblem | undefined {
  if (Number.isNaN(value)) return { sentence: 'A value is not a valid number.', offset, fix: 'Correct the number.' };
  return typeof value === 'string' && CONTROL_CHARACTERS.test(value)
    ? { sentence: 'A text contains control characters.', offset, fix: WITHOUT_CONTROLS }
    : undefined;
}

function firstProblem(items: readonly (ParsedNode | null)[]): NodeProblem | undefined {
  for (const item of items) {
    const problem = plainProblem(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Refuses the key `__proto__`, because it would set the object's prototype instead of a normal key. */
function keyProblem(key: ParsedNode | null, around: number): NodeProblem | undefined {
  const offset = key?.range[0] ?? around;
  if (!isScalar(key) || typeof key.value !== 'string') return { sentence: 'A key is not a string.', offset };
  if (CONTROL_CHARACTERS.test(key.value)) return scalarProblem(key.value, offset);
  if (key.value === '<<')
    return { sentence: 'The file has the merge key <<. Write out the keys that it would merge.', offset };
  return key.value === '__proto__' ? { sentence: 'A key has the forbidden name __proto__.', offset } : undefined;
}
