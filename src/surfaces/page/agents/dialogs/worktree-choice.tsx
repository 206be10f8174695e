import { Field, TextInput } from '../../parts/field.tsx';

/** null: in the project's own folder. */
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
          className="mt-1 size-4 accent-accent"
          checked={name !== null}
          onChange={(event) => onChange(event.target.checked ? '' : null)}
        />
        <span>
          In a git worktree of its own
          <span className="block text-sm text-muted">
            A folder and a branch of its own, from the last commit on. Its successors inherit them.
          </span>
        </span>
      </label>
      {name !== null && (
        <Field label="Name of the worktree" hint="Its branch is baton/ and this name. Empty: Baton finds one.">
          {(ids) => (
            <TextInput
              {...ids}
              className="font-mono"
              spellCheck={false}
              autoCapitalize="none"
              pattern="[a-z0-9]([a-z0-9\-]{0,48}[a-z0-9])?"
              title="Small letters, digits and hyphens"
              value={name}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}
