/** The state of a project's git repository at one moment. Baton compares the document with this state. */
export type GitFacts = GitRepository | GitUnknown;

export interface GitRepository {
  readonly kind: 'repository';
  /** The top folder of the work tree; the project may be a subfolder. */
  readonly root: string;
  /** The current commit; null = no commit yet. */
  readonly head: string | null;
  /** The current branch; null = no branch is checked out. */
  readonly branch: string | null;
  /** Local branches, and remote branches with the name of their remote. `all` is false if the list is incomplete. */
  readonly branches: { readonly names: readonly string[]; readonly all: boolean };
  /** The uncommitted changes; null = git could not determine them. */
  readonly dirty: DirtyTree | null;
  /** Changes of tracked files since HEAD; null = git could not determine them. */
  readonly diffstat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** The upstream branch; null = the branch has no upstream, or git could not determine it. */
  readonly upstream: { readonly name: string; readonly ahead: number; readonly behind: number } | null;
  /** Commits that the document names but that this repository does not have. */
  readonly unknownCommits: readonly string[];
}

export interface DirtyTree {
  /** Number of all files with uncommitted changes, including untracked files. */
  readonly count: number;
  readonly untracked: number;
  /**
   * Number of files that may or may not have changed; `count` does not include them. To compare such a file, git would
   * have to run a filter program of the repository, and Baton does not allow this.
   */
  readonly unsure: number;
  /** The first files with uncommitted changes; the list may be incomplete. */
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
