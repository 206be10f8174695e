import { useQueryClient } from '@tanstack/react-query';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { PATHS, type PackageVerb } from '../../../../contract/routes.ts';
import { post } from '../../api/call.ts';
import { packageQuery } from '../../api/package-queries.ts';

/** Sends a verb and shows the server's answer at once. */
export function usePackageVerb({ id }: PackageDetail): (verb: PackageVerb, body: object) => Promise<PackageDetail> {
  const client = useQueryClient();
  return async (verb, body) => {
    const answer = await post<PackageDetail>(PATHS.packageVerb(id, verb), body);
    client.setQueryData(packageQuery(id).queryKey, answer);
    return answer;
  };
}
