import { beforeEach } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { FormValues, Message } from '../../../playground/slack/protocol.ts';
import type { Database } from '../../../src/database/tables.ts';
import type { ActionRule } from '../../../src/workspace/rules.ts';
import { messagesOf, newMessages } from '../../support/ask.ts';
import { storeSettings } from '../../support/store-settings.ts';
import type { World } from '../../support/world.ts';
import { shareWorldWithDatabase } from '../world-with-database.ts';

export const security = 'S0SECURITY';

/** A world in which Ana may run every action on users without approval, and Ben is the approver. */
export function shareBreakGlassWorld() {
  let ahead = 0;
  const { world, db } = shareWorldWithDatabase({
    // The documented dialect shows no roles, so the last administrator is unknown.
    dialect: 'live',
    clock: () => new Date(Date.now() + ahead),
    callLimits: { command: 1000, click: 1000 },
  });

  async function setRules(rules: Record<string, Partial<ActionRule>>): Promise<void> {
    await storeSettings(db(), { approvers: [people.ben], access: { rules } });
  }

  beforeEach(async () => {
    // Slack's requests are refused once they look more than five minutes old.
    ahead = 0;
    world().slack.setPerson(people.gus, { isGuest: false, email: 'gus@harbor.example' });
    await db().deleteFrom('approval').execute();
    await db().updateTable('connection').set({ token_owner: 'sven.moreau@example.com' }).execute();
    const named = { breakGlass: [people.ana] };
    await setRules({ 'users.disable': named, 'users.delete': named, 'users.enable': named });
  });

  return {
    world,
    db,
    setRules,
    pass: (ms: number) => {
      ahead += ms;
    },
  };
}

export const runNow: FormValues = { breakGlass: { input: ['yes'] } };

/** Fills in the form of the command and runs it without approval; resolves to Belay's answer. */
export async function breakGlass(
  person: Actor,
  command: string,
  more: FormValues = {},
): Promise<Message> {
  const seeNew = newMessages(person);
  await person.send('ops', command);
  const form = await person.seeDialog('Run now without approval');
  await person.submit(form, { reason: { input: 'Account is stolen' }, ...runNow, ...more });
  return seeNew(({ isEphemeral, text }) => isEphemeral && !text.startsWith('Working on it.'));
}

/** The message in the channel that announces the run. */
export function announcementOf(person: Actor, text: string | RegExp = ''): Promise<Message> {
  return person.see(
    () =>
      messagesOf(person).find(
        (one) =>
          !one.channelId.startsWith('D') &&
          one.text.startsWith('🚨 Break-glass') &&
          (typeof text === 'string' ? one.text.includes(text) : text.test(one.text)),
      ),
    'the announcement of the run',
  );
}

export const writesOf = ({ service }: World) =>
  service.requests.filter(({ method }) => method !== 'GET');

/** The state of the newest request, and who decided it. */
export async function newestOf(db: Database) {
  return db
    .selectFrom('approval')
    .select(['state', 'decided_by', 'votes', 'break_glass_mailbox', 'reviewed_by'])
    .orderBy('requested_at', 'desc')
    .executeTakeFirst();
}
