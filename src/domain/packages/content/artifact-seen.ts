/**
 * The host's observation at the path of an artifact. The host follows no symbolic links, neither at the path itself nor
 * in the folders above it.
 */
export type ArtifactSeen =
  | { readonly kind: 'file'; readonly sha256: string; readonly bytes: number }
  /** For a folder, the hash covers the names and hashes of all entries. */
  | { readonly kind: 'folder'; readonly sha256: string; readonly bytes: number; readonly entries: number }
  | { readonly kind: 'missing' | 'link' | 'outside' | 'not_a_folder' | 'special' | 'too_large' | 'unreadable' };

export type ArtifactsSeen = Readonly<Record<string, ArtifactSeen>>;

/**
 * Returns the hash of each artifact that exists as a file or folder, by the path of the artifact. The receive report
 * uses these hashes.
 */
export const usableHashes = (seen: ArtifactsSeen): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(seen).flatMap(([path, found]) =>
      found.kind === 'file' || found.kind === 'folder' ? [[path, found.sha256]] : [],
    ),
  );
