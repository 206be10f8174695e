import { archivePersona, editPersona, restorePersona } from '../../../app/personas/edit-persona.ts';
import { savePersonaText } from '../../../app/personas/save-persona-text.ts';
import { showPersona } from '../../../app/personas/show-persona.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { type PersonaTextName, personaNotFound } from '../../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { readRunsOn } from '../agents/views.ts';
import { pageIn } from '../server/page-in.ts';
import { type HttpDeps, mapped, OPERATOR, type Route, route, SLUG } from '../server/route.ts';
import { viewLineage, viewPersonaDetail } from './persona-views.ts';

type Detail = resources.PersonaDetail;

const LINEAGE_PAGE = 200;

const show = async ({ ports, homePath }: HttpDeps, slug: string): Promise<Detail | Refusal> =>
  mapped(await showPersona(ports, slug), (shown) => viewPersonaDetail(shown, homePath));

/** If a request changed a persona, answers with the whole persona, so that the page needs no second request. */
const unlessRefused = async (deps: HttpDeps, slug: string, changed: unknown): Promise<Detail | Refusal> =>
  isRefusal(changed) ? changed : show(deps, slug);

const saveText = (name: PersonaTextName): Route =>
  route({
    method: 'POST',
    path: PATHS.personaText(SLUG, name),
    summary: `Save ${name}.md, unless it was changed meanwhile; agents get it at their next session start`,
    body: requests.SavePersonaText,
    answer: resources.PersonaDetail,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, slug, body: { text, based_on } }) =>
      unlessRefused(deps, slug, await savePersonaText(deps.ports, { slug, name }, { text, basedOn: based_on })),
  });

export const PERSONA_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.persona(SLUG),
    summary: 'One persona, with its texts and the newest 100 agents that have had it',
    answer: resources.PersonaDetail,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, slug }) => show(deps, slug),
  }),
  route({
    method: 'POST',
    path: PATHS.editPersona(SLUG),
    summary: 'Change the name or role of a persona, or the agent types of its agents; its slug stays',
    body: requests.EditPersona,
    answer: resources.PersonaDetail,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, slug, body }) =>
      unlessRefused(
        deps,
        slug,
        await editPersona(deps.ports, slug, { ...body, runsOn: body.runs_on?.map(readRunsOn) }),
      ),
  }),
  route({
    method: 'POST',
    path: PATHS.archivePersona(SLUG),
    summary: 'Archive a persona: no new agent can get it; agents that have it keep it and can hand off',
    body: requests.Nothing,
    answer: resources.PersonaDetail,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, slug }) => unlessRefused(deps, slug, await archivePersona(deps.ports, slug)),
  }),
  route({
    method: 'POST',
    path: PATHS.restorePersona(SLUG),
    summary: 'Restore an archived persona',
    body: requests.Nothing,
    answer: resources.PersonaDetail,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, slug }) => unlessRefused(deps, slug, await restorePersona(deps.ports, slug)),
  }),
  saveText('skill'),
  saveText('experience'),
  route({
    method: 'GET',
    path: PATHS.lineage(SLUG),
    summary: 'The agents that had the persona, oldest first, and their handoffs, newest first',
    answer: resources.Lineage,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps: { ports, homePath }, slug, query }) => {
      const persona = ports.store.read((tx) => tx.personaBySlug(slug)) ?? personaNotFound(slug);
      if (isRefusal(persona)) return persona;
      return viewLineage(ports.store, persona, { homePath, page: pageIn(query, LINEAGE_PAGE) });
    },
  }),
];
