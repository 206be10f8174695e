import { z } from 'zod';
import { PackageFile } from './package.ts';

/** JSON Schema 2020-12 of a package file, for editors and other programs. */
export const packageJsonSchema = (): object => z.toJSONSchema(PackageFile, { target: 'draft-2020-12', io: 'input' });
