/** The state of a project's git repository at one moment. The document is compared with it. */
export type GitFacts = GitRepository | GitUnknown;

export interface GitRepository {
  readonly kind: 'repository';
  /** The top folder of the work tree; the project may be a subfolder. */
  readonly root: string;
  /** The current commit; null = no commit yet. */
  readonly head: string | null;
  /** The current branch; null = no branch is checked out. */
  readonly branch: string | null;
  /** Local branches, and remote branches with the name of their remote. `all` false = the list is incomplete. */
  readonly branches: { readonly names: readonly string[]; readonly all: boolean };
  /** The uncommitted changes; null = git could not determine them. */
  readonly dirty: DirtyTree | null;
  /** Changes of tracked files since HEAD; null = git could not determine them. */
  readonly diffstat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** null = the branch has no upstream, or git could not determine it. */
  readonly upstream: { readonly name: string; readonly ahead: number; readonly behind: number } | null;
  /** The commits named by the document that this repository does not have. */
  readonly unknownCommits: readonly string[];
}

export interface DirtyTree {
  /** All dirty files, including untracked ones. */
  readonly count: number;
  readonly untracked: number;
  /** Files that are not in `count`. To compare them, git needs filter programs of the repository; Baton runs none. */
  readonly unsure: number;
  /** The first dirty files; the list may be incomplete. */
  readonly files: readonly DirtyFile[];
}

export interface DirtyFile {
  readonly path: string;
  readonly state: 'changed' | 'added' | 'deleted' | 'conflicted' | 'untracked';
}

export interface GitUnknown {
  readonly kind: 'unknown';
  readonly why: 'not_a_repository' | 'no_work_tree' | 'not_trusted' | 'no_git' | 'too_slow' | 'failed';
  readonly sentence: string;
}
