import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import type { FormValues, Message, OpenView } from '../../../playground/slack/protocol.ts';
import { systemClock } from '../../../src/clock.ts';
import { firstOf } from '../../playground/service/call-portal.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { aReason, buttonTexts, messagesOf, newMessages, seeAgain } from '../../support/ask.ts';

/** A world of the live dialect in which people restore volumes, and time that a test advances. */
export function stageRestores(service: ReferenceServiceOptions = {}, settleMs = 0) {
  let ahead = 0;
  const clock = () => new Date(systemClock().getTime() + ahead);
  const shared = shareWorldWithDatabase({
    dialect: 'live',
    clock,
    approvers: [people.ben, people.cleo],
    service: { clock, taskTimings: { delayMs: 0 }, ...service },
    timings: { leaseMs: 86_400_000, settleMs, checkMs: 10, busyMs: 10 },
  });
  const { world } = shared;
  afterEach(() => {
    ahead = 0;
  });

  /** An encrypted backup that may leave its region, of a volume with a name of its own. */
  function source() {
    const { service: reference, portal } = world();
    const volumes = reference.volumes(portal.id);
    const backup = firstOf(
      reference.backups(portal.id).filter(({ type, is_encrypted, volume_id }) => {
        const volume = volumes.find(({ id }) => id === volume_id);
        const isPlain = volume && /^[a-z]+-volume-\d+$/.test(volume.name);
        return type === 'clumio_backup' && is_encrypted && isPlain && volume.type === 'gp3';
      }),
    );
    const volume = firstOf(volumes.filter(({ id }) => id === backup.volume_id));
    const environments = reference.environments(portal.id);
    const home = firstOf(environments.filter(({ id }) => id === volume.environment_id));
    return { volume, environments, home };
  }

  /** The form for the newest backup of the volume, which has the given id. */
  async function openForm(person: Actor): Promise<OpenView> {
    const seeNew = newMessages(person);
    await person.send('ops', `/belay restore ${source().volume.volume_native_id}`);
    const list = await seeNew((one) => buttonTexts(one).includes('Restore…'));
    await person.press(list, 'Restore…');
    return answerOpen(person);
  }

  /** The form that opens; an earlier test may have left a request about the volume. */
  async function answerOpen(person: Actor): Promise<OpenView> {
    const opened = await person.seeDialog(/Availability zone|Request anyway/);
    if (!buttonTexts(opened).includes('Request anyway…')) return opened;
    await person.press(opened, 'Request anyway…');
    return person.seeDialog('Availability zone');
  }

  return {
    ...shared,
    clock,
    source,
    openForm,
    answerOpen,
    advance(ms: number) {
      ahead += ms;
    },

    /** Requests the restore; resolves to the request as the channel sees it. */
    async request(person: Actor, values: FormValues = {}): Promise<Message> {
      const form = await openForm(person);
      const seeNew = newMessages(person);
      await person.submit(form, { reason: { input: aReason }, ...values });
      return seeNew('requests approval to');
    },

    /** Advances the clock and sweeps until the request says this. */
    async sweepUntil(person: Actor, request: Message, text: string | RegExp, stepMs = 50) {
      await seeAgain(person, request, /^(?!.*Waiting for )/s);
      for (let tries = 0; tries < 400; tries += 1) {
        const now = messagesOf(person).find(({ messageTs }) => messageTs === request.messageTs);
        const shown = now?.text ?? '';
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) break;
        ahead += stepMs;
        await world().belay.sweep();
        // The embedded database leaves the sockets no turn by itself.
        await nextTurn();
      }
      return seeAgain(person, request, text);
    },

    /** The requests for a restore that the service got. */
    posts: () => world().service.requests.filter(({ method }) => method === 'POST'),

    /** The volumes that Belay restored. */
    restored() {
      const { service: reference, portal } = world();
      return reference
        .volumes(portal.id)
        .filter(({ tags }) => tags.some(({ key }) => key === 'belay-request'));
    },
  };
}
