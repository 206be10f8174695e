/** The actions on one package. */
export type PackageVerb =
  | 'seal'
  | 'waive'
  | 'receive'
  | 'ack'
  | 'ask'
  | 'answer'
  | 'decline'
  | 'progress'
  | 'complete'
  | 'fail'
  | 'cancel'
  | 'return'
  | 'decide'
  | 'chain'
  | 'report';

/** The maximum size of a request body. The server refuses a larger body. */
export const MAX_BODY_BYTES = 256 * 1024;

/** A header next to the operator's token: the pids of the calling process and its ancestors, separated by spaces. */
export const PROCESSES_HEADER = 'baton-processes';

/** All paths of the API. Server, command line and page share this list. */
export const PATHS = {
  health: '/api/health',
  openapi: '/api/openapi.json',
  login: '/api/login',
  loginCodes: '/api/login-codes',
  logout: '/api/logout',
  personas: '/api/personas',
  registerPersona: '/api/personas/register',
  persona: (slug: string) => `/api/personas/${slug}`,
  editPersona: (slug: string) => `/api/personas/${slug}/edit`,
  archivePersona: (slug: string) => `/api/personas/${slug}/archive`,
  restorePersona: (slug: string) => `/api/personas/${slug}/restore`,
  personaText: (slug: string, text: 'skill' | 'experience') => `/api/personas/${slug}/${text}`,
  lineage: (slug: string) => `/api/personas/${slug}/lineage`,
  projects: '/api/projects',
  workflow: (id: number | string) => `/api/projects/${id}/workflow`,
  agents: '/api/agents',
  agent: (id: number | string) => `/api/agents/${id}`,
  agentWhy: (id: number | string) => `/api/agents/${id}/why`,
  stopAgent: (id: number | string) => `/api/agents/${id}/stop`,
  messages: (id: number | string) => `/api/agents/${id}/messages`,
  handoff: (id: number | string) => `/api/agents/${id}/handoff`,
  givePersona: (id: number | string) => `/api/agents/${id}/persona`,
  answer: (id: number | string) => `/api/agents/${id}/answer`,
  screen: (id: number | string) => `/api/agents/${id}/screen`,
  muteAgent: (id: number | string) => `/api/agents/${id}/mute`,
  unmuteAgent: (id: number | string) => `/api/agents/${id}/unmute`,
  resumeAgent: (id: number | string) => `/api/agents/${id}/resume`,
  restoreAgents: '/api/agents/restore',
  worktrees: '/api/worktrees',
  removeWorktree: (id: number | string) => `/api/worktrees/${id}/remove`,
  candidates: '/api/candidates',
  adoptExternalSession: (session: string) => `/api/candidates/${session}/adopt`,
  releaseAgent: (id: number | string) => `/api/agents/${id}/release`,
  defaultPersona: (id: number | string) => `/api/projects/${id}/default-persona`,
  runtimes: '/api/runtimes',
  environment: '/api/environment',
  refreshEnvironment: '/api/environment/refresh',
  runs: '/api/runs',
  run: (id: number | string) => `/api/runs/${id}`,
  runTexts: (id: number | string) => `/api/runs/${id}/texts`,
  acknowledge: (id: number | string) => `/api/runs/${id}/ack`,
  runAction: (id: number | string, action: string) => `/api/runs/${id}/${action}`,
  succeed: (id: number | string) => `/api/agents/${id}/succeed`,
  handoffs: '/api/handoffs',
  handoffRecord: (id: number | string) => `/api/handoffs/${id}`,
  resumeHandoff: (id: number | string) => `/api/handoffs/${id}/resume`,
  packages: '/api/packages',
  lintPackage: '/api/packages/lint',
  packageSchema: '/api/packages/schema',
  packageAgents: '/api/packages/agents',
  rebuildPackages: '/api/packages/rebuild',
  package: (id: string) => `/api/packages/${id}`,
  packageVerb: (id: string, verb: PackageVerb) => `/api/packages/${id}/${verb}`,
  inbox: '/api/inbox',
  dismiss: (id: number | string) => `/api/inbox/${id}/dismiss`,
  events: '/api/events',
  settings: '/api/settings',
  template: (name: 'instruction' | 'injection') => `/api/settings/templates/${name}`,
  demo: '/api/demo',
} as const;
