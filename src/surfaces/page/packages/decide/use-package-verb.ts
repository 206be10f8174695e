import { useQueryClient } from '@tanstack/react-query';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { PATHS, type PackageVerb } from '../../../../contract/routes.ts';
import { usePost } from '../../api/machine-clients.ts';
import { packageQuery } from '../../api/package-queries.ts';

/**
 * Returns a function that sends a request for an action on a package. The page shows the server's answer without
 * another request.
 */
export function usePackageVerb({ id }: PackageDetail): (verb: PackageVerb, body: object) => Promise<PackageDetail> {
  const post = usePost();
  const client = useQueryClient();
  return async (verb, body) => {
    const answer = await post<PackageDetail>(PATHS.packageVerb(id, verb), body);
    client.setQueryData(packageQuery(id).queryKey, answer);
    return answer;
  };
}
