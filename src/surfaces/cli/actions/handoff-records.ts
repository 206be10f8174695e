import { HandoffList } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { table } from '../output/table.ts';
import { showAnswer } from './show-answer.ts';

export async function listHandoffs(cli: Cli, persona: string): Promise<number> {
  const path = `${PATHS.handoffs}?persona=${encodeURIComponent(persona)}`;
  const answer = await operatorClient(cli.deps).get(path, HandoffList);
  return showAnswer(cli, answer, ({ handoffs }) =>
    handoffs.length === 0
      ? [[`${persona} has handed nothing over yet.`]]
      : table(
          ['id', 'agent', 'successor', 'reason', 'run', 'step', 'acknowledged', 'document', 'at'],
          handoffs.map((each) => [
            String(each.id),
            String(each.agent_id),
            String(each.successor_agent_id ?? '-'),
            each.reason,
            String(each.run_id ?? '-'),
            each.step ?? '-',
            each.acknowledged ? 'yes' : 'no',
            each.file_path ?? '(emergency: none)',
            each.created_at,
          ]),
        ),
  );
}
