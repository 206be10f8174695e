/** The first page: what runs, and the button. It draws with textContent only, so names and sentences stay text. */

const TOKEN = 'baton-token';
const HANDOFF_AT_PERCENT = 80;
const at = (id) => document.getElementById(id);

const element = (tag, text, className) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className !== undefined) node.className = className;
  return node;
};

const say = (sentence) => {
  at('message').textContent = sentence;
  at('message').hidden = sentence === '';
};

async function call(path, body) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(
    path,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  const answer = await response.json();
  if (!response.ok) throw new Error([answer.error, answer.hint].filter(Boolean).join('. '));
  return answer;
}

/** The code comes behind the #, which browsers never send; it is used up at once and taken out of the address. */
async function logIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', '/');
  const { token } = await call('/api/login', { code });
  sessionStorage.setItem(TOKEN, token);
}

function agentCard(agent) {
  const card = element('li');
  card.append(element('h3', `${agent.label} · agent ${agent.id}`));
  card.append(element('p', `${agent.state.replace('_', ' ')}: ${agent.state_reason}`));
  card.append(
    element('p', `${agent.persona?.role ?? 'no persona'} on ${agent.project.name}, ${agent.runtime}`, 'quiet'),
  );
  if (agent.previous_agent_id !== null)
    card.append(element('p', `continues agent ${agent.previous_agent_id}`, 'quiet'));
  if (agent.context !== null) {
    const bar = element('progress');
    bar.max = 100;
    bar.value = agent.context.used_percent;
    bar.setAttribute('aria-label', 'context used');
    card.append(bar, element('p', `${agent.context.used_percent} % of the context used`, 'quiet'));
  }
  if (isEligible(agent)) card.append(handoffButton(agent));
  return card;
}

const isEligible = (agent) =>
  agent.persona !== null &&
  agent.tmux.pane !== null &&
  agent.run_id === null &&
  !['ended', 'lost'].includes(agent.state) &&
  (agent.context?.used_percent ?? 0) >= HANDOFF_AT_PERCENT;

function handoffButton(agent) {
  const button = element('button', 'Handoff');
  button.setAttribute('aria-label', `Hand ${agent.label}, agent ${agent.id}, over to a successor`);
  button.addEventListener('click', () =>
    during(button, () => call(`/api/agents/${agent.id}/handoff`, { reason: 'context_limit' })),
  );
  return button;
}

async function during(button, work) {
  button.disabled = true;
  try {
    await work();
    say('');
  } catch (error) {
    say(error.message);
  }
  await refresh().catch(() => undefined);
}

/** The server says what can be done, in which words, and what has to be asked back first. */
function actionButton(run, { action, title, confirm: question }) {
  const button = element('button', title, 'action');
  button.addEventListener('click', () => {
    if (question !== null && !confirm(`${title}? ${question}`)) return;
    const file = action === 'adopt' ? prompt('Absolute path of the file') : undefined;
    if (file === null) return;
    void during(button, () => call(`/api/runs/${run.id}/${action}`, file === undefined ? {} : { file }));
  });
  return button;
}

function inboxCard(item) {
  const card = element('li');
  card.append(element('h3', item.kind), element('p', item.sentence, item.kind === 'failure' ? 'bad' : undefined));
  card.append(element('p', item.hint, 'quiet'));
  const button = element('button', 'Dismiss', 'action');
  button.setAttribute('aria-label', `Dismiss: ${item.sentence}`);
  button.addEventListener('click', () => void during(button, () => call(`/api/inbox/${item.id}/dismiss`, {})));
  card.append(button);
  return card;
}

function runCard(run) {
  const card = element('li');
  const successor = run.successor_agent_id === null ? '' : ` → agent ${run.successor_agent_id}`;
  card.append(element('h3', `Run ${run.id}: agent ${run.agent_id}${successor}`));
  card.append(
    element(
      'p',
      run.step.replaceAll('_', ' '),
      run.step === 'failed' ? 'bad' : run.step === 'completed' ? 'good' : undefined,
    ),
  );
  if (run.failure !== null) card.append(element('p', run.failure.sentence, 'bad'), element('p', run.failure.hint));
  if (run.acknowledgement !== null) card.append(element('p', `Acknowledged: ${run.acknowledgement.task}`));
  if (run.document !== null) card.append(element('p', run.document.path, 'quiet'));
  for (const warning of run.warnings) card.append(element('p', `Warning: ${warning}`));
  // Resume is the retry of a run with a record, by another name.
  const offered = run.actions.filter(
    ({ action }, _, all) => action !== 'resume' || !all.some((each) => each.action === 'retry'),
  );
  for (const offer of offered) card.append(actionButton(run, offer));
  return card;
}

async function refresh() {
  const [{ agents }, { runs }, { items }] = await Promise.all([
    call('/api/agents'),
    call('/api/runs'),
    call('/api/inbox'),
  ]);
  at('inbox').replaceChildren(...items.map(inboxCard));
  at('inbox-section').hidden = items.length === 0;
  document.title = items.length === 0 ? 'Baton' : `(${items.length}) Baton`;
  const shown = agents.filter((agent) => !['ended', 'lost'].includes(agent.state));
  at('agents').replaceChildren(...shown.map(agentCard));
  at('runs').replaceChildren(...runs.slice(0, 20).map(runCard));
  at('nothing').hidden = agents.length > 0;
  at('no-runs').hidden = runs.length > 0;
}

/** Reads the live stream with fetch, because an EventSource cannot carry the token. */
async function follow(after) {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${sessionStorage.getItem(TOKEN)}` };
  const response = await fetch(`/api/events?after=${after}`, { headers });
  if (!response.ok) throw new Error((await response.json()).error);
  at('link').textContent = 'live';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    if (chunk.includes('data: ')) await refresh();
  }
}

async function live() {
  for (;;) {
    try {
      const { last_seq: seq } = await call('/api/health');
      await refresh();
      say('');
      await follow(seq);
    } catch (error) {
      say(error.message === 'Failed to fetch' ? 'Baton does not answer; what is shown may be old.' : error.message);
    }
    at('link').textContent = 'not connected';
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

try {
  await logIn();
} catch (error) {
  say(error.message);
}
await live();
