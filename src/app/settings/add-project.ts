import { withoutControls } from '../../domain/plain-text.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';

/** Registers a folder in which agents can run. If the folder is already registered, returns the same project. */
export async function addProject(
  ports: Pick<Ports, 'store' | 'files' | 'secrets' | 'clock'>,
  path: string,
  name: string | undefined,
): Promise<Project | Refusal> {
  const problem = await ports.files.whyNotANewProject(path);
  if (problem !== undefined) return { code: 'bad_project_path', sentence: problem };
  return ports.store.write((tx) => {
    const known = tx.projectByPath(path);
    if (known !== undefined) return known;
    const fallback = path.split('/').filter(Boolean).at(-1) ?? 'project';
    const created = tx.insertProject({
      name: withoutControls(name ?? '').trim() || fallback,
      path,
      createdAt: ports.clock.now(),
    });
    appendNotice(tx, ports, { type: 'project_added', path }, { agentId: null, runId: null });
    return created;
  });
}
