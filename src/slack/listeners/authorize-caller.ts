import { readPerson, refusalOf } from '../api/person.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { Message } from '../ui/blocks.ts';
import type { Call } from './call.ts';
import { type FailureDependencies, reportFailure } from './failure.ts';

/** Who knocks, and at which listener, before anything is known about them. */
export type Caller = {
  teamId: string;
  enterpriseId: string | undefined;
  slackUserId: string;
  slack: SlackClient;
  listener: string;
};

/** Lets in full members of this workspace only, asking Slack anew each time. */
export async function admit(
  { slackUserId, listener, ...caller }: Caller,
  { log }: FailureDependencies,
): Promise<Call | { refusal: string }> {
  const person = await readPerson(caller.slack, caller.teamId, slackUserId);
  const callLog = log.child({ teamId: caller.teamId, slackUserId, listener });
  if (person.standing === 'member') return { ...caller, person, log: callLog };
  callLog.warn({ standing: person.standing }, 'refused someone who is not a full member');
  return { refusal: refusalOf(person.standing) };
}

/** Runs `work`; what it throws is logged once and told to the person by `say`. */
export async function guarded(
  dependencies: FailureDependencies,
  caller: Caller,
  say: (message: Message) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = reportFailure(dependencies, error, caller);
    try {
      await say(message);
    } catch (unsaid) {
      dependencies.log.error(
        { listener: caller.listener, err: unsaid },
        'a failure could not be told',
      );
    }
  }
}
