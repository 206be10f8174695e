import type { Run } from '../../../contract/resources.ts';

export const RunActions = (_: { readonly run: Run; readonly small?: boolean }) => null;
