import { useMemo, useState } from 'react';
import { asYaml } from '../../../../contract/packages/as-yaml.ts';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { RawText } from '../../parts/markdown/raw-text.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Tabs } from '../../parts/tabs.tsx';

const FORMS = ['YAML', 'JSON'] as const;

/** The full content of the package: the newest sealed revision or, for a draft, the content as its author wrote it. */
export function PackageRaw({ detail: { id, package: content } }: { readonly detail: PackageDetail }) {
  const [form, setForm] = useState<string>('YAML');
  const texts = useMemo(
    () => ({ YAML: asYaml({ handoff: content }), JSON: `${JSON.stringify({ handoff: content }, null, 2)}\n` }),
    [content],
  );
  return (
    <Panel>
      <Tabs
        label={`Formats of ${id}`}
        value={form}
        onChange={setForm}
        aside={<CopyButton text={texts[form === 'JSON' ? 'JSON' : 'YAML']} what={`${id} as ${form}`} />}
        tabs={FORMS.map((name) => ({
          value: name,
          title: name,
          content: <RawText text={texts[name]} label={`${id} as ${name}`} className="max-h-[28rem]" />,
        }))}
      />
    </Panel>
  );
}
