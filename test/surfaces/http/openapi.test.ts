import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openApi } from '../../../src/surfaces/http/server/openapi.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

/**
 * The OpenAPI document of commit b4b2abf, from before the code was sorted by subject. The record contains no
 * descriptions. With BATON_RECORD=1, the test writes the document of the current code instead of comparing it.
 */
const RECORD = fileURLToPath(new URL('../../fixtures/interface/openapi.json', import.meta.url));

/** The intended differences from RECORD, with reasons. Wire names never change. New optional fields are allowed. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  'routes.GET /api/agents.answers.200.properties.next: new': 'lists are read in pages',
  'routes.POST /api/agents.body.properties.prompt: new': 'an agent can be started with its first prompt (U6)',
  'routes.POST /api/agents.body.properties.runtime.default: gone': 'the default is the setting default_runtime (U4)',
  'routes.POST /api/agents/{id}/interrupt: new': 'the operator can interrupt an agent outside a handoff (U6)',
  'routes.POST /api/settings.body.properties.default_runtime: new': 'the default agent type is a setting (U4)',
  'routes.POST /api/stop: new': '`baton stop` stops the server (U6)',
  'schemas.Agent.properties.first_prompt: new': 'the outcome of the first prompt (U6)',
  'schemas.Settings.properties.default_runtime: new': 'the default agent type is a setting (U4)',
  'routes.GET /api/handoffs.answers.200.properties.next: new': 'lists are read in pages',
  'routes.GET /api/runs.answers.200.properties.next: new': 'lists are read in pages',
  'schemas.Health.properties.address: new': '`baton status` shows the address of the page',
  'schemas.Lineage.properties.next: new': 'lists are read in pages',
  'schemas.Event.properties.bad_news: new': 'the server describes each event, instead of page and CLI',
  'schemas.Event.properties.kind: new': 'the server describes each event, instead of page and CLI',
  'schemas.Event.properties.sentence: new': 'the server describes each event, instead of page and CLI',
  'schemas.Event.required: ["agent_id","at","by","data","run_id","seq","type"] became ["agent_id","at","bad_news","by","data","kind","run_id","sentence","seq","type"]':
    'the three new fields are always there',
  'routes.GET /api/personas/{slug}/knowledge: new': 'open points and lessons of a persona (U16)',
  'routes.POST /api/lessons/{id}/accept: new': 'a person adds a lesson to experience.md (U16)',
  'routes.POST /api/lessons/{id}/discard: new': 'a person discards a lesson (U16)',
  'routes.POST /api/points/{id}/close: new': 'a person closes an open point',
  'routes.POST /api/points/{id}/reopen: new': 'a person opens a closed point again',
  'routes.POST /api/settings.body.properties.accept_lessons: new': 'lessons can be accepted without asking (U16)',
  'schemas.Lesson: new': 'a lesson of a handoff document (U16)',
  'schemas.OpenPoint: new': 'a next step or question that a document left open',
  'schemas.PersonaKnowledge: new': 'open points and lessons of a persona (U16)',
  'schemas.Settings.properties.accept_lessons: new': 'lessons can be accepted without asking (U16)',
  'routes.GET /api/usage: new': 'the tokens of agents by day, persona, project and agent',
  'routes.POST /api/settings.body.properties.token_budget: new': 'a budget of tokens for a day',
  'schemas.Agent.properties.usage: new': 'the tokens that an agent has used so far',
  'schemas.Settings.properties.token_budget: new': 'a budget of tokens for a day',
  'routes.GET /api/inbox/history: new': 'the inbox shows items that are over',
  'routes.GET /api/search: new': 'the search of documents, decisions, packages, prompts and answers',
  'schemas.Health.properties.indexed_percent: new': 'how much of an older history the search finds',
  'routes.POST /api/agents/{id}/countdown: new': 'the operator cancels or snoozes an automatic handoff',
  'routes.POST /api/agents/{id}/handoff-policy: new': 'the handoff policy of an agent',
  'routes.POST /api/candidates/{session}/handoff: new': 'the user of an external session hands it off',
  'routes.POST /api/handoff-request: new': 'an agent asks for its own handoff',
  'routes.POST /api/personas/{slug}/handoff-policy: new': 'the handoff policy of a persona',
  'routes.POST /api/projects/{id}/handoff-policy: new': 'the handoff policy of a project',
  'schemas.Agent.properties.auto_handoff: new': 'the countdown of an automatic handoff',
  'schemas.Agent.properties.handoff_policy: new': 'the handoff policy that applies to an agent',
  'schemas.InboxHistory: new': 'the inbox shows items that are over',
  'schemas.Persona.properties.handoff_policy: new': 'the handoff policy of a persona',
  'schemas.PersonaDetail.properties.handoff_policy: new': 'the handoff policy of a persona',
  'schemas.Project.properties.handoff_policy: new': 'the handoff policy of a project',
  'schemas.Run.properties.begun_because: new': 'why Baton began a handoff by itself',
  'routes.GET /api/devices: new': 'the operator sees the devices that are logged in [D10]',
  'routes.POST /api/login.body.properties.device: new': 'a device has a name [D10]',
  'routes.POST /api/logout.body.properties.device: new': 'the operator can revoke one device [D10]',
  'routes.POST /api/settings/test-notification: new': 'the operator can test the notification channels [D11]',
  'routes.GET /api/packages/{package}/contents: new': 'a gate shows how its files have changed (D14)',
  'routes.POST /api/agents/{id}/continue: new': 'an agent that an outage cut off can continue (D18)',
  'routes.POST /api/packages/{package}/reassign: new': 'the operator gives a package to another receiver (D4)',
  'routes.POST /api/packages/{package}/restore: new': 'the operator undoes the cancellation of a package',
  'routes.POST /api/packages/{package}/remind: new': 'the operator has an agent reminded of a package (D4)',
  'routes.POST /api/runs/{id}/message: new': 'the operator writes to a silent successor (D21)',
  'routes.POST /api/runs/{id}/nudge: new': 'the operator reminds a silent successor (D21)',
  'schemas.Agent.properties.cut_off: new': 'an agent that an outage cut off says so (D18)',
  'schemas.InboxItem.properties.offers.items.enum: ["restore","resume","succeed"] became ["cancel_countdown","continue","handoff","reassign","remind","restore","resume","snooze","succeed"]':
    'inbox items offer the new actions (D4, D18, and those of automatic handoffs)',
  'schemas.PackageContents: new': 'a gate shows how its files have changed (D14)',
  'schemas.PackageDetail.properties.notified: new': 'a package names the agent that was notified (D4)',
  'schemas.Restore.properties.agents.items.properties.context_used_percent: new': 'the last known context (D18)',
  'schemas.Restore.properties.agents.items.properties.cut_off: new': 'the report says who was cut off (D18)',
  'schemas.Run.properties.actions.items.properties.action.enum: ["accept","adopt","approve","cancel","check_again","force_exit","instruct_again","interrupt","resume","retry","send_back","undo","use_recorded","wait"] became ["accept","adopt","approve","cancel","check_again","force_exit","instruct_again","interrupt","message","nudge","resume","retry","send_back","undo","use_recorded","wait"]':
    'the actions nudge and message (D21)',
  'schemas.RunTexts.properties.texts.items.properties.purpose.enum: ["exit","injection","instruction","message","package","skill"] became ["continue","exit","injection","instruction","message","nudge","package","skill"]':
    'the reminder (D21) and the prompt after a usage limit are typed texts like the others',
  'schemas.Agent.properties.needs: new': 'page and CLI show what needs the operator in the same order (D8)',
  'schemas.InboxItem.properties.persona: new': 'an inbox item can be about the lessons of a persona (U16)',
  'schemas.InboxItem.properties.severity: new': 'the inbox is sorted worst first (D9)',
  'routes.POST /api/inbox/{id}/restore: new': 'a dismissal can be undone (D9)',
  'schemas.PackageFinding.properties.line: new': 'a finding names the line of the package text (3db6ce5)',
  'routes.POST /api/agents/{id}/after-limit: new': 'an agent can be asked to continue after its usage limit',
  'schemas.Agent.properties.limit: new': 'the usage limit of an agent',
  'schemas.Agent.properties.state.enum: ["awaiting_input","ended","idle","lost","starting","unknown","working"] became ["awaiting_input","ended","idle","limited","lost","starting","unknown","working"]':
    'the state limited',
  'schemas.AgentWhy.properties.state.enum: ["awaiting_input","ended","idle","lost","starting","unknown","working"] became ["awaiting_input","ended","idle","limited","lost","starting","unknown","working"]':
    'the state limited',
  'schemas.Lineage.properties.agents.items.properties.state.enum: ["awaiting_input","ended","idle","lost","starting","unknown","working"] became ["awaiting_input","ended","idle","limited","lost","starting","unknown","working"]':
    'the state limited',
  'routes.GET /api/runtimes.answers.200.properties.runtimes.items.properties.capabilities: new':
    'what each agent type can do',
  'routes.POST /api/agents.body.properties.model: new': 'the operator chooses a model',
  'routes.POST /api/agents/{id}/handoff.body.properties.client_args: new': 'a successor on another agent type',
  'routes.POST /api/agents/{id}/handoff.body.properties.model: new': 'a successor on another agent type',
  'routes.POST /api/agents/{id}/handoff.body.properties.runtime: new': 'a successor on another agent type',
  'routes.POST /api/agents/{id}/succeed.body.properties.client_args: new': 'a successor on another agent type',
  'routes.POST /api/agents/{id}/succeed.body.properties.model: new': 'a successor on another agent type',
  'routes.POST /api/agents/{id}/succeed.body.properties.runtime: new': 'a successor on another agent type',
  'routes.POST /api/runs/{id}/resume.body.properties.client_args: new': 'a successor on another agent type',
  'routes.POST /api/runs/{id}/resume.body.properties.model: new': 'a successor on another agent type',
  'routes.POST /api/runs/{id}/resume.body.properties.runtime: new': 'a successor on another agent type',
  'routes.POST /api/personas/{slug}/edit.body.properties.runs_on: new': 'what agents of a persona run on',
  'routes.POST /api/projects/{id}/runs-on: new': 'what agents of a project run on',
  'schemas.Agent.properties.client_args: new': 'what an agent, persona, project or successor runs on',
  'schemas.Agent.properties.model: new': 'what an agent, persona, project or successor runs on',
  'schemas.Persona.properties.runs_on: new': 'what an agent, persona, project or successor runs on',
  'schemas.PersonaDetail.properties.runs_on: new': 'what an agent, persona, project or successor runs on',
  'schemas.Project.properties.runs_on: new': 'what an agent, persona, project or successor runs on',
  'schemas.Run.properties.runs_on: new': 'what an agent, persona, project or successor runs on',
};

/** The routes and schemas of the fleet did not exist when the document was recorded. */
const OF_FLEET = /^(routes\.(GET|POST) \/api\/(fleet|machines)\b[^.]*|schemas\.(Machine|FleetStatus)): new$/;

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface Operation {
  readonly parameters: Json;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

type Schema = { readonly $defs?: Readonly<Record<string, Json>> } & Readonly<Record<string, Json>>;

const WORDS = ['description', 'summary', 'title'];

/** Removes descriptions and sorts lists of names, so that differences in wording or order do not count. */
function bare(value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    const elements = value.map((each) => bare(each as Json));
    return key === 'required' || key === 'enum' ? elements.toSorted() : elements;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !WORDS.includes(name) || typeof inner !== 'string');
  return Object.fromEntries(kept.map(([name, inner]) => [name, bare(inner, name)]));
}

/**
 * Returns the OpenAPI document in the form of the record: each named schema occurs once instead of once per route, and
 * each route lists its allowed callers.
 */
function recordable(): Json {
  const schemas: Record<string, Json> = {};
  const withoutNamed = ({ content }: Content, io: 'input' | 'output'): Json => {
    const { $defs = {}, ...schema } = content['application/json'].schema;
    for (const [name, named] of Object.entries($defs)) schemas[io === 'input' ? `${name} (input)` : name] = bare(named);
    return bare(schema);
  };
  const { paths } = openApi(ROUTES, '0') as { paths: Record<string, Record<string, Operation>> };
  const routes = ROUTES.map(({ method, path, callers }) => {
    const { parameters, requestBody, responses } = paths[path]![method.toLowerCase()]!;
    const answers = Object.entries(responses).map(([status, each]) => [status, withoutNamed(each, 'output')] as const);
    const body = requestBody === undefined ? {} : { body: withoutNamed(requestBody, 'input') };
    const route = { callers: [...callers].sort(), parameters, ...body, answers: Object.fromEntries(answers) };
    return [`${method} ${path}`, route] as const;
  });
  return { schemas, routes: Object.fromEntries(routes) };
}

function differences(before: Json, now: Json, path = ''): readonly string[] {
  if (!isObject(before) || !isObject(now))
    return JSON.stringify(before) === JSON.stringify(now)
      ? []
      : [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const [old, young] = [before[key], now[key]];
    const here = path === '' ? key : `${path}.${key}`;
    if (old === undefined) return [`${here}: new`];
    return young === undefined ? [`${here}: gone`] : differences(old, young, here);
  });
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

it('the OpenAPI document equals the recorded document, except for documented changes', () => {
  if (process.env.BATON_RECORD) return writeFileSync(RECORD, `${JSON.stringify(recordable(), null, 1)}\n`);
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Json;
  const found = differences(recorded, recordable()).filter((difference) => !OF_FLEET.test(difference));
  expect(found.toSorted()).toEqual(Object.keys(DOCUMENTED).toSorted());
});
