/** Checks the name of a machine before it becomes part of a URL path. */
export { isMachineName } from '../../domain/fleet/member.ts';
