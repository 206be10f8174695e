/** What stands at the path of an artifact, as the host saw it. Links are not followed, neither at the path nor on the way. */
export type ArtifactSeen =
  | { readonly kind: 'file'; readonly sha256: string; readonly bytes: number }
  /** The hash covers names and hashes of all that is in it. */
  | { readonly kind: 'folder'; readonly sha256: string; readonly bytes: number; readonly entries: number }
  | { readonly kind: 'missing' | 'link' | 'outside' | 'special' | 'too_large' | 'unreadable' };

export type ArtifactsSeen = Readonly<Record<string, ArtifactSeen>>;

/** By path, as the receive report asks for it: absent what is not usable. */
export const usableHashes = (seen: ArtifactsSeen): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(seen).flatMap(([path, found]) =>
      found.kind === 'file' || found.kind === 'folder' ? [[path, found.sha256]] : [],
    ),
  );
