import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { Actor } from '../../../../playground/act-as.ts';
import { createAdjustableClock } from '../../../../playground/adjustable-clock.ts';
import { people } from '../../../../playground/people.ts';
import { roleByKey } from '../../../../playground/service/data/roles.ts';
import { globalUnitId } from '../../../../playground/service/portal/portal-definitions.ts';
import type { FormValues, Message, OpenView } from '../../../../playground/slack/protocol.ts';
import { shareWorldWithDatabase, voidAll } from '../../../requests/world-with-database.ts';
import { aReason, messagesOf, newMessages, seeAgain } from '../../../support/ask.ts';

export const kim = 'kim@example.com';
export const dayMs = 24 * 60 * 60_000;

/** What the form of an invitation sends. */
export const invitation: FormValues = {
  email: { input: kim },
  fullName: { input: 'Kim Park' },
  role: { input: roleByKey.backupOperator.id },
  units: { input: [globalUnitId] },
  reason: { input: aReason },
};

/** A world of the live dialect in which people are invited, and time that a test advances. */
export function stageInvitations() {
  const adjustableClock = createAdjustableClock();
  const shared = shareWorldWithDatabase({
    dialect: 'live',
    adjustableClock,
    approvers: [people.ben, people.cleo],
    timings: { leaseMs: dayMs, settleMs: 0, checkMs: 10, busyMs: 10, tooLateMs: 30 * dayMs },
  });
  const { world } = shared;
  afterEach(() => voidAll(shared.db()));

  const usersAt = (email: string) =>
    world()
      .service.users(world().portal.id)
      .filter((user) => user.email === email);

  return {
    ...shared,
    usersAt,
    advance: (ms: number) => adjustableClock.moveBy(ms),

    /** The user with this address as the service has them, if there is one. */
    find: (email = kim) => usersAt(email)[0],

    async openForm(person: Actor, command: string): Promise<OpenView> {
      await person.send('ops', command);
      return person.seeDialog('Organizational units');
    },

    /** Submits the form; resolves to the request as the channel sees it. */
    async submit(person: Actor, form: OpenView, values: FormValues = {}): Promise<Message> {
      const seeNew = newMessages(person);
      await person.submit(form, values);
      return seeNew('requests approval to');
    },

    async request(person: Actor, values: FormValues = {}): Promise<Message> {
      const form = await this.openForm(person, `/belay invite ${kim}`);
      return this.submit(person, form, { ...invitation, ...values });
    },

    /** Advances the clock and sweeps until the request says this. */
    async sweepUntil(person: Actor, request: Message, text: string | RegExp, stepMs = 50) {
      // The sweeps would leave no time for the decision.
      await seeAgain(person, request, /^(?!.*Waiting for )/s);
      for (let tries = 0; tries < 400; tries += 1) {
        const now = messagesOf(person).find(({ messageTs }) => messageTs === request.messageTs);
        const shown = now?.text ?? '';
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) break;
        adjustableClock.moveBy(stepMs);
        await world().belay.sweep();
        // The embedded database leaves the sockets no turn by itself.
        await nextTurn();
      }
      return seeAgain(person, request, text);
    },

    /** The direct messages about a request that this person got. Others may come late, from earlier tests. */
    news: (person: Actor, { messageTs }: Message) =>
      messagesOf(person).filter((one) =>
        JSON.stringify(one.blocks).includes(`/p${messageTs.replace('.', '')}`),
      ),

    /** The invitations that the service got. */
    posts: () => world().service.requests.filter(({ method }) => method === 'POST'),
  };
}
