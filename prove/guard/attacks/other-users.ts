import { spawn } from 'node:child_process';
import type { BatonProcess } from '../../../test/support/baton-process.ts';

/**
 * The uid of the user `nobody`. The test, which runs as root, acts as this user when it tries to reach Baton's files
 * and sockets.
 */
const OTHER = 65_534;

/**
 * Returns one sentence for each file or socket that another user of this machine can reach. Needs root to switch users.
 */
export async function tryAsOtherUser({ home, port }: BatonProcess): Promise<string[]> {
  const node = (script: string): string => `'${process.execPath}' -e "${script}"`;
  const connects = (where: string): string =>
    node(`require('net').connect(${where}).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))`);
  const answersWithout = node(
    `fetch('http://127.0.0.1:${port}/api/agents').then((a)=>process.exit(a.ok?0:1),()=>process.exit(1))`,
  );
  const attempts: readonly (readonly [string, string])[] = [
    ...['token', 'secret', 'baton.db', 'baton.db-wal', 'baton.log', 'config.json', 'agents/1/launch.sh'].map(
      (name) => [`reads ${name}`, `cat '${home}/${name}'`] as const,
    ),
    ['lists the home', `ls '${home}'`],
    ['writes into the spool', `touch '${home}/spool/x'`],
    ['writes into the home', `touch '${home}/x'`],
    ['lists the sessions', `tmux -S '${home}/tmux.sock' list-sessions`],
    ['connects to the socket', connects(`'${home}/baton.sock'`)],
    ['asks without a token', answersWithout],
    ['runs the command on this home', `BATON_HOME='${home}' '${home}/bin/baton' agent list`],
  ];
  const found: string[] = [];
  // Report an error if no shell runs as the other user. In this case every attempt fails for lack of a shell, and the
  // test shows nothing.
  if (!(await succeeds('true'))) found.push('no shell runs as another user here');
  for (const [what, script] of attempts) if (await succeeds(script)) found.push(`another user ${what}`);
  return found;
}

const succeeds = (script: string): Promise<boolean> =>
  new Promise((resolve, reject) =>
    spawn('sh', ['-c', script], { uid: OTHER, gid: OTHER, cwd: '/', stdio: 'ignore' })
      .on('error', reject)
      .on('close', (code) => resolve(code === 0)),
  );
