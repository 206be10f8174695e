import { type TemplateName, templateProblems } from '../domain/handoff/templates.ts';
import type { Refusal } from '../domain/refusals.ts';
import { noteSettingsChanged } from './change-settings.ts';
import type { Ports } from './world.ts';

/** The operator's own wording, or Baton's again with null. The next prompt is worded by it; what was typed stays what it was. */
export async function saveTemplate(
  ports: Ports,
  name: TemplateName,
  text: string | null,
): Promise<Refusal | undefined> {
  const given = text?.replace(/\r\n/g, '\n') ?? null;
  const problems = given === null ? [] : templateProblems(name, given);
  if (problems.length > 0)
    return { code: 'bad_template', sentence: `The ${name} was not saved. ${problems.join(' ')}` };
  const before = ports.wording.current()[name];
  await ports.wording.save(name, given);
  await ports.wording.refresh();
  if (ports.wording.current()[name] !== before) await noteSettingsChanged(ports, [`templates.${name}`]);
  return undefined;
}
