/** The state of a project's git repository at one moment, to check the document against. */
export type GitFacts = GitRepository | GitUnknown;

export interface GitRepository {
  readonly kind: 'repository';
  /** The top of the work tree; the project may be a folder below it. */
  readonly root: string;
  /** null = no commit yet. */
  readonly head: string | null;
  /** null = no branch is checked out. */
  readonly branch: string | null;
  /** Local branches, and remote ones with their remote's name. `all` false = the list is incomplete. */
  readonly branches: { readonly names: readonly string[]; readonly all: boolean };
  /** null = git could not tell. */
  readonly dirty: DirtyTree | null;
  /** Tracked files against HEAD. null = git could not tell. */
  readonly diffstat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** null = none, or git could not tell. */
  readonly upstream: { readonly name: string; readonly ahead: number; readonly behind: number } | null;
  /** The commits named by the document that this repository does not have. */
  readonly unknownCommits: readonly string[];
}

export interface DirtyTree {
  /** All dirty files, including untracked ones. */
  readonly count: number;
  readonly untracked: number;
  /** Not counted above: git needs a filter program of the repository to compare them, and Baton does not run those. */
  readonly unsure: number;
  /** The first files only. */
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
