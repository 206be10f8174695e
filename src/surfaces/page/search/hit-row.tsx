import type { SearchHit } from '../../../contract/history/search.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { At } from '../parts/time.tsx';
import { KIND_WORDS } from './kind-words.ts';

const TONES: Readonly<Record<SearchHit['kind'], Tone>> = {
  document: 'blue',
  decision: 'violet',
  package: 'amber',
  prompt: 'grey',
  answer: 'grey',
  lesson: 'green',
};

/** One hit of the search: the title of the text, the excerpt that matches, and where the text comes from. */
export function HitRow({ hit }: { readonly hit: SearchHit }) {
  const { kind, title, page, excerpt, at, personas, project, line } = hit;
  const origin = [...personas.map(({ name }) => name), project?.name, line === null ? undefined : `line ${line}`];
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={TONES[kind]}>{KIND_WORDS[kind]}</Badge>
        {/* On a phone the title gets its own line, below the badge and the time. */}
        <a
          href={page}
          className="min-w-0 font-medium max-md:order-1 max-md:basis-full text-accent underline underline-offset-2 wrap-anywhere"
        >
          {visible(title)}
        </a>
        <span className="ml-auto text-sm text-muted">
          <At at={at} />
        </span>
      </div>
      <p className="mt-1.5 wrap-anywhere">
        {excerpt.map(({ text, hit: isHit }, index) =>
          isHit ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of an excerpt never change their order
            <mark key={index} className="rounded-sm bg-amber-soft px-0.5 font-semibold text-ink">
              {visible(text)}
            </mark>
          ) : (
            visible(text)
          ),
        )}
      </p>
      <p className="mt-1 text-sm text-muted">{visible(origin.filter(Boolean).join(' · '))}</p>
    </li>
  );
}
