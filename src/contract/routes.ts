/** The actions on a package that the API offers. */
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
  | 'restore'
  | 'return'
  | 'decide'
  | 'remind'
  | 'reassign'
  | 'contents'
  | 'chain'
  | 'report';

/** The maximum size of a request body. The server refuses a larger body. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * An HTTP header that the caller sends together with the operator's token: the process ids of the caller and of its
 * ancestors, separated by spaces.
 */
export const PROCESSES_HEADER = 'baton-processes';

/** All paths of the API. Server, command line and page share this list. */
export const PATHS = {
  health: '/api/health',
  stopServer: '/api/stop',
  openapi: '/api/openapi.json',
  login: '/api/login',
  loginCodes: '/api/login-codes',
  logout: '/api/logout',
  devices: '/api/devices',
  personas: '/api/personas',
  registerPersona: '/api/personas/register',
  persona: (slug: string) => `/api/personas/${slug}`,
  editPersona: (slug: string) => `/api/personas/${slug}/edit`,
  archivePersona: (slug: string) => `/api/personas/${slug}/archive`,
  restorePersona: (slug: string) => `/api/personas/${slug}/restore`,
  personaPolicy: (slug: string) => `/api/personas/${slug}/handoff-policy`,
  knowledge: (slug: string) => `/api/personas/${slug}/knowledge`,
  personaText: (slug: string, text: 'skill' | 'experience') => `/api/personas/${slug}/${text}`,
  lineage: (slug: string) => `/api/personas/${slug}/lineage`,
  closePoint: (id: number | string) => `/api/points/${id}/close`,
  reopenPoint: (id: number | string) => `/api/points/${id}/reopen`,
  acceptLesson: (id: number | string) => `/api/lessons/${id}/accept`,
  discardLesson: (id: number | string) => `/api/lessons/${id}/discard`,
  projects: '/api/projects',
  workflow: (id: number | string) => `/api/projects/${id}/workflow`,
  agents: '/api/agents',
  agent: (id: number | string) => `/api/agents/${id}`,
  agentWhy: (id: number | string) => `/api/agents/${id}/why`,
  stopAgent: (id: number | string) => `/api/agents/${id}/stop`,
  interruptAgent: (id: number | string) => `/api/agents/${id}/interrupt`,
  messages: (id: number | string) => `/api/agents/${id}/messages`,
  handoff: (id: number | string) => `/api/agents/${id}/handoff`,
  givePersona: (id: number | string) => `/api/agents/${id}/persona`,
  answer: (id: number | string) => `/api/agents/${id}/answer`,
  screen: (id: number | string) => `/api/agents/${id}/screen`,
  muteAgent: (id: number | string) => `/api/agents/${id}/mute`,
  unmuteAgent: (id: number | string) => `/api/agents/${id}/unmute`,
  resumeAgent: (id: number | string) => `/api/agents/${id}/resume`,
  continueAgent: (id: number | string) => `/api/agents/${id}/continue`,
  afterLimit: (id: number | string) => `/api/agents/${id}/after-limit`,
  agentPolicy: (id: number | string) => `/api/agents/${id}/handoff-policy`,
  projectPolicy: (id: number | string) => `/api/projects/${id}/handoff-policy`,
  countdown: (id: number | string) => `/api/agents/${id}/countdown`,
  askForHandoff: '/api/handoff-request',
  restoreAgents: '/api/agents/restore',
  worktrees: '/api/worktrees',
  removeWorktree: (id: number | string) => `/api/worktrees/${id}/remove`,
  candidates: '/api/candidates',
  adoptExternalSession: (session: string) => `/api/candidates/${session}/adopt`,
  handOffSession: (session: string) => `/api/candidates/${session}/handoff`,
  releaseAgent: (id: number | string) => `/api/agents/${id}/release`,
  defaultPersona: (id: number | string) => `/api/projects/${id}/default-persona`,
  projectRunsOn: (id: number | string) => `/api/projects/${id}/runs-on`,
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
  inboxHistory: '/api/inbox/history',
  dismiss: (id: number | string) => `/api/inbox/${id}/dismiss`,
  restoreItem: (id: number | string) => `/api/inbox/${id}/restore`,
  events: '/api/events',
  search: '/api/search',
  usage: '/api/usage',
  settings: '/api/settings',
  testNotification: '/api/settings/test-notification',
  template: (name: 'instruction' | 'injection') => `/api/settings/templates/${name}`,
  demo: '/api/demo',
  fleet: '/api/fleet',
  foundFleet: '/api/fleet/hub',
  inviteMachine: '/api/fleet/invite',
  joinFleet: '/api/fleet/join',
  leaveFleet: '/api/fleet/leave',
  revokeMachine: '/api/fleet/revoke',
  fleetAgents: '/api/fleet/agents',
  fleetInbox: '/api/fleet/inbox',
  machines: '/api/machines',
  machineAgents: (machine: string) => `/api/machines/${machine}/agents`,
  machineRuns: (machine: string) => `/api/machines/${machine}/runs`,
  machineInbox: (machine: string) => `/api/machines/${machine}/inbox`,
  machinePackages: (machine: string) => `/api/machines/${machine}/packages`,
} as const;

/**
 * Returns the path of a route on another machine, such as /api/machines/laptop/agents/3/handoff for
 * /api/agents/3/handoff.
 */
export const onMachine = (machine: string, path: string): string => `/api/machines/${machine}${path.slice(4)}`;
