/** What git showed of a project at one moment: the facts beside the story that the document tells. */
export type GitFacts = GitRepository | GitUnknown;

export interface GitRepository {
  readonly kind: 'repository';
  /** The top of the work tree; the project may be a folder below it. */
  readonly root: string;
  /** null = no commit yet. */
  readonly head: string | null;
  /** null = no branch is checked out. */
  readonly branch: string | null;
  /** Local ones, and remote ones with their remote's name. Not `all` = there are more. */
  readonly branches: { readonly names: readonly string[]; readonly all: boolean };
  /** null = git could not tell. */
  readonly dirty: DirtyTree | null;
  /** Of tracked files, against HEAD. null = git could not tell. */
  readonly diffstat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** null = none, or git could not tell. */
  readonly upstream: { readonly name: string; readonly ahead: number; readonly behind: number } | null;
  /** Of the commits that were asked about, those that this repository does not have. */
  readonly unknownCommits: readonly string[];
}

export interface DirtyTree {
  /** All, untracked ones too. */
  readonly count: number;
  readonly untracked: number;
  /** Not counted above: a filter of the repository stands before them, and Baton runs no program of a project. */
  readonly unsure: number;
  /** The first of them. */
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
