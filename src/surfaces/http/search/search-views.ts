import type { Tx } from '../../../app/ports/store.ts';
import type { Hit } from '../../../app/search/search-texts.ts';
import type { SearchHit } from '../../../contract/history/search.ts';
import { agentLabel } from '../../../domain/agents/apply-fact.ts';
import { isPerson } from '../../../domain/packages/content/package.ts';
import type { SearchEntry } from '../../../domain/search/search-entry.ts';

export const viewHits = (tx: Tx, hits: readonly Hit[]): SearchHit[] => hits.map((hit) => viewHit(tx, hit));

function viewHit(tx: Tx, { entry, excerpt }: Hit): SearchHit {
  const { id, kind, at, agentId, runId, packageId, projectId } = entry;
  const project = projectId === null ? undefined : tx.projectById(projectId);
  const isInDocument = entry.line !== null && runId !== null;
  return {
    id,
    kind,
    at,
    title: titleOf(tx, entry),
    excerpt: excerpt.parts.map(({ text, isHit }) => ({ text, hit: isHit })),
    agent_id: agentId,
    run_id: runId,
    package_id: packageId,
    line: isInDocument ? excerpt.line : null,
    personas: entry.personaIds.flatMap((personaId) => {
      const persona = tx.personaById(personaId);
      return persona === undefined ? [] : [{ slug: persona.slug, name: persona.name }];
    }),
    project: project === undefined ? null : { id: project.id, name: project.name },
    page: pageOf(tx, entry, isInDocument ? excerpt.line : null),
  };
}

function titleOf(tx: Tx, entry: SearchEntry): string {
  const { kind, packageId, line, runId } = entry;
  const who = whoIn(tx, entry);
  switch (kind) {
    case 'document':
      return `Handoff document of ${who}`;
    case 'decision':
      if (packageId !== null) return `Decision in package ${packageId}`;
      return line === null ? `Decision on handoff ${runId} of ${who}` : `Decisions in the handoff document of ${who}`;
    case 'package':
      return packageTitle(tx, packageId ?? '');
    case 'prompt':
      return `Prompt to ${who}`;
    case 'answer':
      return packageId === null ? `Answer to ${who}` : `Answer in package ${packageId}`;
    case 'lesson':
      return `Lesson from a handoff of ${who}`;
  }
}

function packageTitle(tx: Tx, packageId: string): string {
  const record = tx.packageById(packageId)?.record;
  if (record === undefined) return `Package ${packageId}`;
  return `Package ${packageId} from ${partyIn(tx, record.from)} to ${partyIn(tx, record.to)}`;
}

const partyIn = (tx: Tx, name: string): string => (isPerson(name) ? 'you' : (tx.personaBySlug(name)?.name ?? name));

function whoIn(tx: Tx, { agentId, personaIds }: SearchEntry): string {
  const agent = agentId === null ? undefined : tx.agentById(agentId);
  const name = personaIds[0] === undefined ? undefined : tx.personaById(personaIds[0])?.name;
  return agent === undefined ? (name ?? 'an agent') : agentLabel(agent, name ?? null);
}

function pageOf(tx: Tx, { kind, runId, packageId, agentId, personaIds }: SearchEntry, line: number | null): string {
  if (packageId !== null) return `#/packages/${packageId}`;
  if (kind === 'lesson') return `${pageOfPersona(tx, personaIds)}?tab=lessons`;
  if (runId !== null) return line === null ? `#/runs/${runId}` : `#/runs/${runId}?line=${line}`;
  if (agentId !== null) return `#/agents/${agentId}`;
  return pageOfPersona(tx, personaIds);
}

function pageOfPersona(tx: Tx, [personaId]: readonly number[]): string {
  const persona = personaId === undefined ? undefined : tx.personaById(personaId);
  return persona === undefined ? '#/personas' : `#/personas/${persona.slug}`;
}
