import { misusedTokens } from '../../playground/slack/installations/misuses.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import { countBy } from '../statistics.ts';

/** How Belay used its bot tokens at Slack, and a line for each call that it must not make. */
export function checkTokens({ calls, refreshes }: Pick<LocalSlack, 'calls' | 'refreshes'>) {
  const refused = refreshes.filter(({ result }) => result !== 'rotated');
  return {
    figures: { refreshes: countBy(refreshes, ({ result }) => result) },
    violations: [
      ...listMisuses(calls),
      // Only a process that is killed between the exchange and its commit may lose a pair of tokens.
      ...refused.map(({ at }) => `at ${at.toISOString()} Slack refused a refresh token`),
    ],
  };
}

export function listMisuses(calls: LocalSlack['calls']): string[] {
  return misusedTokens(calls).map(({ method, caller, result }) => {
    const problem = caller?.problem ?? caller?.elsewhere ?? result.error;
    return `${method} with a token that does not work there: ${caller?.targetId} ${problem}`;
  });
}
