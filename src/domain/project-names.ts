interface Named {
  readonly name: string;
  readonly path: string;
}

/**
 * Returns a function that names projects. If several projects have the same name, the function adds parent folders
 * until the names differ, such as `work/shop` and `me/shop`.
 */
export const projectNames =
  (projects: readonly Named[]): ((project: Named) => string) =>
  ({ name, path }) => {
    const others = projects.filter((each) => each.name === name && each.path !== path).map((each) => `/${each.path}`);
    if (others.length === 0) return name;
    const parts = path.split('/');
    const ends = parts.map((_, index) => parts.slice(index).join('/')).reverse();
    return ends.find((end) => !others.some((other) => other.endsWith(`/${end}`))) ?? path;
  };
