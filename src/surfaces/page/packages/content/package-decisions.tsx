import { useQuery } from '@tanstack/react-query';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import type { Event } from '../../../../contract/resources.ts';
import { packageEventsQuery } from '../../api/package-queries.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel, Section } from '../../parts/panel.tsx';
import { At } from '../../parts/time.tsx';
import { Said } from './said.tsx';

interface Decided {
  readonly option: string;
  readonly by: string;
  readonly channel: string;
  readonly reason: string;
  readonly choice?: string;
  readonly conditions: readonly string[];
  readonly items?: readonly number[];
  readonly seal: { readonly content: string };
}

const LOOK: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  approve: ['approved', 'green'],
  reject: ['rejected', 'red'],
  question: ['question asked', 'amber'],
};

/**
 * All decisions about the package: who made each of them, when, and about which content. A decision does not always end
 * the package.
 */
export function PackageDecisions({ detail }: { readonly detail: PackageDetail }) {
  const { data: events = [] } = useQuery(packageEventsQuery(detail.id));
  const decided = events.filter(({ type }) => type === 'package_decided');
  if (decided.length === 0 && detail.waivers.length === 0) return null;
  return (
    <Section title="Decision history">
      <Panel className="px-4 py-1">
        <ol className="divide-y divide-line">
          {decided.map((event) => (
            <OneDecision key={event.seq} event={event} detail={detail} />
          ))}
          {detail.waivers.map((waiver) => (
            <OneWaiver key={JSON.stringify(waiver)} waiver={waiver as Readonly<Record<string, string>>} />
          ))}
        </ol>
      </Panel>
    </Section>
  );
}

function OneDecision({ event: { at, data }, detail }: { readonly event: Event; readonly detail: PackageDetail }) {
  const { option, by, channel, reason, choice = '', conditions, items, seal } = data.fact as Decided;
  const [word, tone] = LOOK[option] ?? ([option, 'grey'] as const);
  const approved = items?.map((index) => detail.gate?.items[index] ?? `item ${index}`) ?? [];
  return (
    <li className="py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Badge tone={tone}>{visible(word)}</Badge>
        <span className="text-sm text-muted">
          by {visible(by)} ({visible(channel)}) · <At at={at} />
        </span>
      </p>
      {choice !== '' && (
        <p className="mt-1 font-semibold">
          <Said text={choice} />
        </p>
      )}
      {reason !== '' && (
        <p className="mt-1">
          <Said text={reason} />
        </p>
      )}
      {approved.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-sm">
          {approved.map((item) => (
            <li key={item}>
              <Said text={item} />
            </li>
          ))}
        </ul>
      )}
      {conditions.map((condition) => (
        <p key={condition} className="mt-1 text-sm">
          <span className="text-muted">Condition: </span>
          <Said text={condition} />
        </p>
      ))}
      <p className="mt-1 font-mono text-xs break-all text-muted">Content hash: {visible(seal.content)}</p>
    </li>
  );
}

const OneWaiver = ({ waiver: { rule, by, why, until } }: { readonly waiver: Readonly<Record<string, string>> }) => (
  <li className="py-2.5">
    <p className="flex flex-wrap items-baseline gap-x-3">
      <Badge tone="amber">{visible(rule ?? '')} overridden</Badge>
      <span className="text-sm text-muted">
        by {visible(by ?? '')}, until <At at={until ?? ''} />
      </span>
    </p>
    <Said text={why ?? ''} />
  </li>
);
