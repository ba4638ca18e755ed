import { expect, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, messagesOf, seeAgain } from '../support/ask.ts';
import { storeSettings } from '../support/store-settings.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const minuteMs = 60_000;
let ahead = 0;
const { world, db } = shareWorldWithDatabase({ clock: () => new Date(Date.now() + ahead) });

const email = 'joana.prado@example.com';

// The only test with this world: its clock doesn't go back.
test('a late step waits for half an hour from when Slack first fails to return a group', async () => {
  const { ana, ben, slack, belay, service, portal } = world();
  await storeSettings(db(), { approvers: ['S0SECURITY'] });
  // Until every process has noticed that a group is named.
  ahead = 10_000;
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  const before = await seeAgain(ana, request, 'will be deleted');

  /** The request once it says this in another text. */
  const seeChanged = ({ text: earlier }: Message, words: string) =>
    ana.see(
      () =>
        messagesOf(ana).find(
          ({ messageTs, text }) =>
            messageTs === request.messageTs && text !== earlier && text.includes(words),
        ),
      words,
    );
  // Belay was down, so people get another chance to cancel.
  ahead = 300 * minuteMs;
  await belay.sweep();
  await seeChanged(before, 'will be deleted');

  async function sweepWithoutGroup(afterMinutes: number) {
    ahead = afterMinutes * minuteMs;
    // As if the members had been read long ago.
    await db().deleteFrom('user_group').execute();
    slack.failNext('usergroups.users.list', 'internal_error');
    await belay.sweep();
  }
  await sweepWithoutGroup(311);
  const waiting = await seeAgain(ana, request, "Slack didn't return the members");
  expect(waiting.text).toContain('Belay tries again');
  await sweepWithoutGroup(331);
  await seeChanged(waiting, 'Belay tries again');
  await sweepWithoutGroup(342);
  await seeAgain(ana, request, 'Belay waited for 31 minutes.');
  const user = service.users(portal.id).find((one) => one.email === email);
  expect(user?.is_enabled).toBe(false);
});
