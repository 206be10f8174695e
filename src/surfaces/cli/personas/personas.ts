import { Persona } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { getPersonas } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function registerPersona(cli: Cli, wanted: { role: string; name: string }): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.registerPersona, wanted, Persona);
  return showAnswer(cli, answer, ({ slug, name, role, folder }) => [
    [TICK, ` ${name}, ${role}, is registered as ${slug}`],
    [`  Edit the skill: ${folder}/skill.md`],
    [`  Start an agent: baton agent start --persona ${slug}`],
  ]);
}

export async function listPersonas(cli: Cli): Promise<number> {
  const answer = await getPersonas(operatorClient(cli.deps));
  return showAnswer(cli, answer, (personas) =>
    personas.length === 0
      ? [['No personas yet. Register one: baton persona register --role developer --name Con']]
      : table(
          ['slug', 'name', 'role', 'status', 'folder'],
          personas.map(({ slug, name, role, status, folder }) => [slug, name, role, status, folder]),
        ),
  );
}
