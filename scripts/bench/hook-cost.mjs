import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from './statistics.mjs';

/** Starts each command as an agent does (`sh -c`, the event on standard input), in turns, and prints nanoseconds. */
const TIMER_C = `
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv) {
  int rounds = atoi(argv[1]);
  for (int round = 0; round < rounds; round++)
    for (int i = 3; i < argc; i++) {
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      posix_spawn_file_actions_addopen(&actions, 0, argv[2], O_RDONLY, 0);
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
      char *child[] = {"sh", "-c", argv[i], NULL};
      struct timespec from, to;
      pid_t pid;
      int status;
      clock_gettime(CLOCK_MONOTONIC, &from);
      if (posix_spawn(&pid, "/bin/sh", &actions, NULL, child, environ) != 0) return 1;
      waitpid(pid, &status, 0);
      clock_gettime(CLOCK_MONOTONIC, &to);
      posix_spawn_file_actions_destroy(&actions);
      if (status != 0) { fprintf(stderr, "failed: %s\\n", argv[i]); return 1; }
      printf("%lld\\n", (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec);
    }
  return 0;
}
`;

/** The minimum that a program needs to send an event: one connection, one request, one answer. */
const CLIENT_C = `
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int argc, char **argv) {
  static char body[65536], head[256], answer[4096];
  ssize_t length = 0, got;
  while ((got = read(0, body + length, sizeof body - length)) > 0) length += got;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) return 1;
  int size = snprintf(head, sizeof head, "POST / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: %zd\\r\\n\\r\\n", length);
  if (write(fd, head, size) != size || write(fd, body, length) != length) return 1;
  return read(fd, answer, sizeof answer) > 0 ? 0 : 1;
}
`;

const has = (/** @type {string} */ program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** @param {string} folder @param {string} name @param {string} source @param {string[]} flags */
function compile(folder, name, source, flags) {
  const program = join(folder, name);
  writeFileSync(`${program}.c`, source);
  return spawnSync('cc', ['-O2', ...flags, '-o', program, `${program}.c`], { stdio: 'ignore' }).status === 0
    ? program
    : undefined;
}

/**
 * Measures the hook script and its alternatives in one run and in turns, so that load on the machine affects all of
 * them alike.
 * @param {{ folder: string, hook: string, agent: import('./baton-server.mjs').BenchAgent, payload: string, rounds: number }} bench
 */
export async function measureCost({ folder, hook, agent, payload, rounds }) {
  const sink = createServer((question, answer) => {
    question.resume().on('end', () => answer.end('ok'));
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (sink.address());

  const skipped = [];
  /** @type {Map<string, string>} */
  const commands = new Map([
    ['sh', ':'],
    ['hook', `'${hook}' PreToolUse`],
  ]);
  const hasCompiler = has('cc');
  const client = hasCompiler
    ? (compile(folder, 'client', CLIENT_C, ['-static']) ?? compile(folder, 'client', CLIENT_C, []))
    : undefined;
  if (client !== undefined) commands.set('c', `'${client}' ${port}`);
  else skipped.push('no C compiler here, so no static C client beside it');
  if (has('curl')) commands.set('curl', `curl -s -o /dev/null --data-binary @- http://127.0.0.1:${port}/`);
  else skipped.push('no curl here');

  const input = join(folder, 'payload.json');
  writeFileSync(input, payload);
  const timer = hasCompiler ? compile(folder, 'timer', TIMER_C, []) : undefined;
  if (timer === undefined) skipped.push('timed from Node, which adds its own cost of starting a process to each');
  const words = [...commands.values()];
  const times =
    timer === undefined
      ? await timeFromNode(words, { rounds, payload, env: agent.env })
      : await timeFromC([timer, String(rounds), input, ...words], agent.env);
  sink.close();
  sink.closeAllConnections();

  /** @param {string} name @returns {number[]} one time a round, in ms */
  const timesOf = (name) => {
    const at = [...commands.keys()].indexOf(name);
    return at < 0 ? [] : times.filter((_, index) => index % commands.size === at);
  };
  const hooks = timesOf('hook');
  /** @param {string} name */
  const ratioTo = (name) => {
    const others = timesOf(name);
    return others.length === 0 ? null : median(others.map((other, round) => (hooks[round] ?? 0) / other));
  };
  return { ratioTo, medianOf: (/** @type {string} */ name) => median(timesOf(name)), skipped };
}

/** @param {string[]} command @param {NodeJS.ProcessEnv} env */
async function timeFromC([program = '', ...args], env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('a command that was timed failed');
  return output
    .trim()
    .split('\n')
    .map((line) => Number(line) / 1e6);
}

/** @param {string[]} commands @param {{ rounds: number, payload: string, env: NodeJS.ProcessEnv }} how */
async function timeFromNode(commands, { rounds, payload, env }) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    for (const command of commands) {
      const from = performance.now();
      const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'ignore', 'inherit'] });
      child.stdin.on('error', () => undefined).end(payload);
      await once(child, 'exit');
      times.push(performance.now() - from);
    }
  }
  return times;
}
