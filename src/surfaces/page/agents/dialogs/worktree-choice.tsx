import { Field, TextInput } from '../../parts/field.tsx';

/**
 * Lets the operator choose whether the agent gets a worktree, and name the worktree. The choice null means the
 * project's own folder.
 */
export function WorktreeChoice({
  name,
  onChange,
}: {
  readonly name: string | null;
  readonly onChange: (name: string | null) => void;
}) {
  return (
    <>
      <label className="mb-4 flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-1 size-4 shrink-0 accent-accent"
          checked={name !== null}
          onChange={(event) => onChange(event.target.checked ? '' : null)}
        />
        <span>
          Use a separate git worktree
          <span className="block text-sm text-muted">
            A separate folder and branch, created from the last commit. Successors keep using them.
          </span>
        </span>
      </label>
      {name !== null && (
        <Field
          label="Worktree name"
          hint="The branch is baton/ plus this name. Leave the name empty to let Baton choose one."
        >
          {(ids) => (
            <TextInput
              {...ids}
              className="font-mono"
              spellCheck={false}
              autoCapitalize="none"
              pattern="[a-z0-9]([a-z0-9\-]{0,48}[a-z0-9])?"
              title="Lowercase letters, digits and hyphens"
              value={name}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}
