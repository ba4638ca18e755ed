import { afterEach, beforeEach } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { createAdjustableClock } from '../../../playground/adjustable-clock.ts';
import { people } from '../../../playground/people.ts';
import type { FormValues, Message } from '../../../playground/slack/protocol.ts';
import type { DrillTimings } from '../../../src/features/drills/run-drills.ts';
import { firstOf } from '../../playground/service/call-portal.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { aReason, buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const drillsEvery = { checkMs: 10, leaseMs: 2000 };

/** A world of the live dialect with restore drills, and time that a test advances. */
export function stageDrills(drillTimings: Partial<DrillTimings> = drillsEvery) {
  const clock = createAdjustableClock();
  const shared = shareWorldWithDatabase({
    dialect: 'live',
    adjustableClock: clock,
    approvers: [people.ben, people.cleo],
    service: { clock: clock.now, taskTimings: { delayMs: 0 } },
    timings: { leaseMs: 10 * dayMs, checkMs: 10, settleMs: 0 },
    intervals: { runDrills: 20 },
    drillTimings,
  });
  const { world, db } = shared;

  beforeEach(() => {
    const { service, portal } = world();
    // Tests advance the time, and the service makes no new backups.
    for (const { id } of service.backups(portal.id)) {
      const expiration_timestamp = new Date(clock.now().getTime() + 90 * dayMs).toISOString();
      service.changeBackup(portal.id, id, { expiration_timestamp });
    }
  });
  afterEach(async () => {
    await db().deleteFrom('restore_drill_run').execute();
    await db().deleteFrom('restore_drill').execute();
  });

  /** Volumes with an encrypted backup each, and an environment that is their home. */
  function source(count = 1) {
    const { service, portal } = world();
    const backups = service.backups(portal.id);
    const environments = service.environments(portal.id);
    const fitting = service.volumes(portal.id).filter((volume) => {
      const own = backups.filter(({ volume_id }) => volume_id === volume.id);
      const newest = own.toSorted((a, b) => b.start_timestamp.localeCompare(a.start_timestamp))[0];
      return newest?.type === 'clumio_backup' && newest.is_encrypted && !volume.deletion_timestamp;
    });
    const first = firstOf(fitting);
    const alike = fitting.filter(
      ({ environment_id, kms_key_native_id: key }) =>
        environment_id === first.environment_id && key === first.kms_key_native_id,
    );
    const home = firstOf(environments.filter(({ id }) => id === first.environment_id));
    const backupsOf = (id: string) => backups.filter(({ volume_id }) => volume_id === id);
    return { volumes: alike.slice(0, count), alike, home, backupsOf, environments };
  }

  /** The form, filled in for these volumes at their home, due tomorrow at three. */
  function valuesFor({ volumes, home }: ReturnType<typeof source>): FormValues {
    const tomorrow = new Date(clock.now().getTime() + dayMs).getUTCDay();
    return {
      reason: { input: aReason },
      volumes: { input: volumes.map((one) => one.volume_native_id).join('\n') },
      environment: { input: home.id },
      zone: { input: firstOf(home.aws_az) },
      kmsKey: { input: volumes[0]?.kms_key_native_id ?? null },
      weekday: { input: String(tomorrow === 0 ? 7 : tomorrow) },
      timeZone: { input: 'Etc/UTC' },
    };
  }

  /** The newest message that the person sees with this text, and that was not there before. */
  const newMessage = (person: Actor, before: Set<string>, text: string | RegExp) =>
    person.see(
      () =>
        messagesOf(person).findLast(
          (one) =>
            !before.has(one.messageTs) &&
            (typeof text === 'string' ? one.text.includes(text) : text.test(one.text)),
        ),
      `a new message with ${text}`,
    );
  const seenBy = (person: Actor) => new Set(messagesOf(person).map(({ messageTs }) => messageTs));

  /** Requests a drill; resolves to the request as the channel sees it. */
  async function request(person: Actor, values: FormValues): Promise<Message> {
    await submit(person, values);
    return newMessage(person, new Set(), 'requests approval to add a restore drill');
  }

  async function submit(person: Actor, values: FormValues): Promise<void> {
    const before = seenBy(person);
    await person.send('ops', '/belay drill');
    const list = await newMessage(person, before, /restore drills? in this channel/i);
    await person.press(list, 'New drill…');
    await person.submit(await person.seeDialog('Availability zone'), values);
  }

  async function storedDrill() {
    return db().selectFrom('restore_drill').selectAll().executeTakeFirstOrThrow();
  }

  return {
    ...shared,
    clock,
    source,
    valuesFor,
    request,
    submit,
    seenBy,
    newMessage,
    storedDrill,

    /** Sets up a drill, approved by Ben. */
    async addDrill(values: FormValues): Promise<Message> {
      const { ana, ben } = world();
      const message = await request(ana, values);
      await ben.press(message, 'Approve');
      return seeAgain(ana, message, 'The restore drill was added.');
    },

    /** Advances the clock to a moment after the drill is due. */
    async makeDue(laterMs = 1000) {
      const { next_run_at: at } = await storedDrill();
      clock.moveTo(new Date(at.getTime() + laterMs));
    },

    runs: () => db().selectFrom('restore_drill_run').selectAll().orderBy('due_at').execute(),
    posts: () => world().service.requests.filter(({ method }) => method === 'POST'),
    restored() {
      const { service, portal } = world();
      return service
        .volumes(portal.id)
        .filter(({ tags }) => tags.some(({ key }) => key === 'belay-drill'));
    },
    buttonTexts,
  };
}
