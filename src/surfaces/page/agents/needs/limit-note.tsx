import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { usePost } from '../../api/machine-clients.ts';
import { runtimesQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { At, Countdown } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useSucceed } from '../menu/use-resume.ts';

/** Shows when an agent's usage limit ends, and what the operator can do until then. */
export function LimitNote({ agent, limit }: { readonly agent: Agent; readonly limit: NonNullable<Agent['limit']> }) {
  const post = usePost();
  const succeed = useSucceed(agent.id);
  const { data: runtimes = [] } = useQuery(runtimesQuery);
  const elsewhere = runtimes.filter(({ id, why_unavailable }) => id !== agent.runtime && why_unavailable === null);
  const wait = useAction(async () => {
    await post<Agent>(PATHS.afterLimit(agent.id), { continue: !limit.waits });
    return limit.waits
      ? `Baton does not ask agent ${agent.id} to continue.`
      : `Baton asks agent ${agent.id} to continue when its usage limit is over.`;
  });
  const waitWords = limit.waits ? 'Do not continue when the limit ends' : 'Continue when the limit ends';
  const canWait = limit.until !== null && !limit.continues_itself;
  return (
    <div className="flex flex-col gap-2 text-sm text-amber">
      <p>
        {limit.until === null ? "The agent's client does not say when the limit ends." : <EndsIn until={limit.until} />}
        {limit.retries_at && <TriesAgain at={limit.retries_at} />}
        {limit.continues_itself && limit.until !== null && ' Its client continues by itself then.'}
        {limit.waits && ' Baton asks it to continue then.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {agent.persona !== null &&
          elsewhere.map(({ id, title }) => (
            <Button
              key={id}
              small
              busy={succeed.busy}
              aria-label={visible(`Continue now with ${title}: ${agent.label}, agent ${agent.id}`)}
              onClick={() => void succeed.run({ runtime: id })}
            >
              Continue now with {title}
            </Button>
          ))}
        {canWait && (
          <Button
            small
            busy={wait.busy}
            aria-label={visible(`${waitWords}: ${agent.label}, agent ${agent.id}`)}
            onClick={() => void wait.run()}
          >
            {waitWords}
          </Button>
        )}
      </div>
    </div>
  );
}

const TriesAgain = ({ at }: { readonly at: string }) => (
  <>
    {' It tries again at '}
    <At at={at} />.
  </>
);

const EndsIn = ({ until }: { readonly until: string }) => (
  <>
    Usage limit reached. <Countdown to={until} before="It ends in " overdue="It should have ended" />.
  </>
);
