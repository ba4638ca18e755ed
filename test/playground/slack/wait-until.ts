import type { LocalSlack } from '../../../playground/slack/local-slack.ts';

/** Waits until `look` finds something in the local Slack; calls it again after each change. */
export const until = <T>(slack: LocalSlack, look: () => T | undefined): Promise<T> =>
  new Promise((resolve) => {
    const check = (): void => {
      const found = look();
      if (found === undefined) return;
      unsubscribe();
      resolve(found);
    };
    const unsubscribe = slack.subscribe(check);
    check();
  });
