import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asYaml } from '../../../../contract/packages/as-yaml.ts';
import { NO_FIELDS, newPackage, type PackageFields } from '../../../../contract/packages/new-package.ts';
import type { PackageDetail, PackageFinding, PackageLint } from '../../../../contract/packages/package-resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post, Refused } from '../../api/call.ts';
import { packageQuery } from '../../api/package-queries.ts';
import { usePartyNames } from '../../api/party-names.ts';
import { useAction } from '../../parts/use-action.ts';
import { forgetUnsent, keepUnsent, readUnsent, type UnsentPackage } from './unsent-package.ts';

export type Step = 'check' | 'submit' | 'save';

/** The findings of the lint about a text that was checked or refused. */
export interface Judged {
  readonly step: Step;
  readonly ok: boolean;
  readonly findings: readonly PackageFinding[];
  readonly text: string;
  /** The entries of the form that was checked; null if the operator wrote the text. */
  readonly fields: PackageFields | null;
}

/**
 * The form for a new package: its text and project, the functions that change, check and send it, and the server's
 * answer.
 */
export function useNewPackage(onlyProject: string) {
  const [unsent, setUnsent] = useState(readUnsent);
  const [judged, setJudged] = useState<Judged | null>(null);
  const [under, setUnder] = useState<Step | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const called = usePartyNames();
  const { key, fields } = unsent;
  /** Convert the form to text, so that the form and a typed text are checked and sent in the same way. */
  const text = fields === null ? unsent.text : asYaml(newPackage(fields));
  const project = unsent.project === '' ? onlyProject : unsent.project;

  const change = (changed: Partial<Omit<UnsentPackage, 'key'>>): void => {
    const next = { ...unsent, ...changed, key: crypto.randomUUID() };
    setUnsent(next);
    if (next.text === '' && (next.fields === null || next.fields === NO_FIELDS)) forgetUnsent();
    else keepUnsent(next);
  };
  const fill = (changed: Partial<PackageFields>): void => {
    if (fields !== null) change({ fields: { ...fields, ...changed } });
  };
  /**
   * Switches from the form to the package's text, which contains what the operator entered in the form. The text is
   * empty if the operator entered nothing.
   */
  const writeAsText = (): void => change({ fields: null, text: fields === NO_FIELDS ? '' : text });
  const send = async (step: Step): Promise<string | undefined> => {
    const body = { package: text, ...(project === '' ? {} : { project_id: Number(project) }) };
    if (step === 'check') {
      const { ok, findings } = await post<PackageLint>(PATHS.lintPackage, body);
      setJudged({ step, ok, findings, text, fields });
      return undefined;
    }
    const seal = step === 'submit';
    const made = await post<PackageDetail>(PATHS.packages, { ...body, seal, key: `page-${key}-${seal}` });
    forgetUnsent();
    client.setQueryData(packageQuery(made.id).queryKey, made);
    await navigate({ to: '/packages/$id', params: { id: made.id } });
    return seal ? `${made.id} was submitted to ${called(made.to)}.` : `${made.id} was saved as a draft.`;
  };
  const action = useAction(
    async (step: Step) => {
      setJudged(null);
      setUnder(step);
      try {
        return await send(step);
      } catch (error) {
        const findings = error instanceof Refused ? error.body.findings : undefined;
        if (findings === undefined) throw error;
        setJudged({ step, ok: false, findings, text, fields });
        return undefined;
      }
    },
    { inDialog: true },
  );
  return {
    text,
    fields,
    project,
    change,
    fill,
    writeAsText,
    judged,
    refusal: action.refusal,
    busyWith: action.busy ? under : null,
    run: (step: Step) => void action.run(step),
  };
}
