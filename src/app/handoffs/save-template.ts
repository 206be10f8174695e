import { type TemplateName, templateProblems } from '../../domain/handoffs/prompts/templates.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import { noteSettingsChanged } from '../settings/change-settings.ts';

export interface WantedTemplate {
  readonly text: string | null;
  /**
   * The text that the operator began to edit. If the current text is a different one, nothing is saved. If `basedOn` is
   * undefined, the current text is overwritten in any case.
   */
  readonly basedOn?: string | undefined;
}

/**
 * Saves the operator's text for a prompt; null restores Baton's own text. The change applies only to future prompts,
 * not to prompts that were already typed.
 */
export async function saveTemplate(
  ports: Pick<Ports, 'store' | 'wording' | 'secrets' | 'clock'>,
  name: TemplateName,
  { text, basedOn }: WantedTemplate,
): Promise<Refusal | undefined> {
  const given = text?.replace(/\r\n/g, '\n') ?? null;
  const problems = given === null ? [] : templateProblems(name, given);
  if (problems.length > 0)
    return { code: 'bad_template', sentence: `The ${name} template was not saved. ${problems.join(' ')}` };
  await ports.wording.refresh();
  const before = ports.wording.current()[name];
  if (basedOn !== undefined && basedOn !== before)
    return {
      code: 'template_changed',
      sentence: `The ${name} template was changed after you read it, so nothing was saved. Read the new text before you overwrite it`,
    };
  try {
    await ports.wording.save(name, given);
  } catch (error) {
    return { code: 'template_unusable', sentence: `The ${name} template could not be saved: ${errorMessage(error)}` };
  }
  await ports.wording.refresh();
  if (ports.wording.current()[name] !== before) await noteSettingsChanged(ports, [`templates.${name}`]);
  return undefined;
}
