import { RuntimeList } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function listRuntimes(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.runtimes, RuntimeList);
  return showAnswer(cli, answer, ({ runtimes }) =>
    table(
      ['runtime', 'title', 'version', 'available'],
      runtimes.map(({ id, title, standing, standing_sentence, why_unavailable }) => [
        id,
        title,
        standing === 'tried' ? (standing_sentence ?? '') : ink('yellow', standing_sentence ?? '-'),
        why_unavailable === null ? ink('green', 'yes') : ink('yellow', why_unavailable),
      ]),
    ),
  );
}
