import { type RuntimeInfo, RuntimeList } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { CAPABILITIES, CAPABILITY_WORDS } from '../../../contract/words/capability-words.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function listRuntimes(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.runtimes, RuntimeList);
  return showAnswer(cli, answer, ({ runtimes }) => [
    ...table(
      ['runtime', 'title', 'version', 'available'],
      runtimes.map(({ id, title, standing, standing_sentence, why_unavailable }) => [
        id,
        title,
        standing === 'tried' ? (standing_sentence ?? '') : ink('yellow', standing_sentence ?? '-'),
        why_unavailable === null ? ink('green', 'yes') : ink('yellow', why_unavailable),
      ]),
    ),
    [''],
    ...table(['what its agents can do', ...runtimes.map(({ id }) => id)], capabilityRows(runtimes)),
  ]);
}

const capabilityRows = (runtimes: readonly RuntimeInfo[]): Part[][] =>
  CAPABILITIES.map((each) => [
    CAPABILITY_WORDS[each],
    ...runtimes.map(({ capabilities }) => (capabilities?.[each] ? ink('green', 'yes') : ink('yellow', 'no'))),
  ]);
