import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/tables.ts';
import { type Actor, actAs } from '../act-as.ts';
import type { AdjustableClock } from '../adjustable-clock.ts';
import type { Controls } from '../controls/serve-controls.ts';
import { people } from '../people.ts';
import type { Portal, ReferenceService } from '../service/start-service.ts';
import type { LocalSlack } from '../slack/local-slack.ts';
import type { FormValues } from '../slack/protocol.ts';
import { storeComplianceHistory } from './compliance-history.ts';
import { dayMs, digestTime, hourMs, type StoryTimes, storyZone } from './story-times.ts';

export type StoryParts = Pick<Controls, 'changeAlerts' | 'changePolicies'> & {
  slack: LocalSlack;
  service: ReferenceService;
  portal: Portal;
  db: Database;
  /** Runs the digests that are due. */
  runDigests: () => Promise<void>;
  clock: AdjustableClock;
  times: StoryTimes;
};

const minuteMs = 60_000;

/**
 * Plays in #ops what a team did in the last three days, with the real bot and a clock that begins in the
 * past: two watches, alerts, a completed and a pending request, a policy change, a digest and a
 * compliance report. Ends with the clock at the real time.
 */
export async function tellStory(parts: StoryParts): Promise<void> {
  const { slack, clock, times } = parts;
  const [ana, ben, cleo] = [people.ana, people.ben, people.cleo].map((id) => actAs(slack, id));
  if (!ana || !ben || !cleo) throw new Error('the workspace has too few people');
  // A message that is being posted while the clock moves would count as lost, and be posted again.
  const settle = () => waitForMessages(parts.db);
  /** `ms` from the digest. */
  const moveTo = async (ms: number) => {
    await settle();
    clock.moveTo(new Date(times.digest.getTime() + ms));
  };
  const from = (daysAgo: number, hours: number) => moveTo(hours * hourMs - daysAgo * dayMs);

  await addWatches(ana, cleo);
  const storing = storeComplianceHistory({ ...parts, until: times.digest });
  // What a later change is compared with.
  await waitForPolicies(parts.db, times.begin);

  await from(3, 7);
  const first = raise(parts);
  await ana.seeMessage(first);
  await from(3, 9);
  parts.changeAlerts({ change: 'raise-again' });
  await ana.seeMessage('raised 2 times');

  await from(2, 2);
  await ana.send('ops', "Joana is on leave until May, so I'm asking to disable her account.");
  await ask(ana, '/belay disable joana.prado@example.com', 'On leave until May');
  const request = await ben.seeMessage('On leave until May');
  await settle();
  clock.moveBy(14 * minuteMs);
  await ben.press(request, 'Approve');
  await ana.see(
    ({ conversations }) => conversations.find(({ kind }) => kind === 'direct')?.messages[0],
    'the outcome of her request',
  );

  await from(2, 5);
  parts.changeAlerts({ change: 'clear' });
  await ana.see(
    ({ conversations: [ops] }) => ops?.messages.find(({ threadTs }) => threadTs),
    'the reply that the alert was cleared',
  );
  await storing;
  await from(1, 1);
  parts.changePolicies({ change: 'retention' });
  await ana.seeMessage(/outside Belay.*Silver|Silver.*outside Belay/s);
  await from(1, 1.5);
  await cleo.send('ops', "I'll ask in the storage team who changed Silver.");
  await from(1, 2);
  await addDigest(ana);
  for (const hours of [14, 21]) {
    await from(1, hours);
    await ana.seeMessage(raise(parts));
  }

  await moveTo(-minuteMs);
  await waitForPolicies(parts.db, clock.now());
  await moveTo(0);
  await parts.runDigests();
  await ana.seeMessage('*Digest*');
  await dismissNotices(ana);
  await dismissNotices(cleo);
  const before = async (minutes: number) => {
    await settle();
    clock.moveTo(new Date(times.now.getTime() - minutes * minuteMs));
  };
  await before(40);
  await ana.send('ops', '/belay compliance');
  await ana.seeMessage('Compliance: ');
  await before(25);
  await ask(ana, '/belay enable mariana.costa@example.com', 'Back from leave on Monday');
  await settle();
  clock.moveTo(new Date());
}

async function addWatches(ana: Actor, cleo: Actor): Promise<void> {
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('added a watch to this channel: all new alerts');
  await cleo.send('ops', '/belay watch policies');
  await ana.seeMessage('added a watch to this channel: policy changes');
}

/** Returns the name of what the alert is about. */
function raise({ changeAlerts, service, portal }: StoryParts): string {
  changeAlerts({ change: 'raise', count: 1 });
  return service.alerts(portal.id).at(-1)?.primary_entity?.value ?? '';
}

async function addDigest(ana: Actor): Promise<void> {
  await submitForm(ana, '/belay digest new', {
    time: { input: digestTime },
    weekdays: { input: ['1', '2', '3', '4', '5', '6', '7'] },
    timeZone: { input: storyZone },
  });
  const preview = await ana.see(
    ({ views }) =>
      views.find(({ submit, blocks }) => submit && blocks.every(({ type }) => type !== 'input')),
    'the preview of the digest',
  );
  await ana.submit(preview, {});
  await ana.seeMessage('added a digest');
}

/** Sends a request, without the answer that it was sent. */
async function ask(person: Actor, command: string, reason: string): Promise<void> {
  await submitForm(person, command, { reason: { input: reason } });
  await person.seeMessage(reason);
  await person.dismiss(await person.seeMessage('Request sent to'));
}

/** Removes the answers that only this person sees. */
async function dismissNotices(person: Actor): Promise<void> {
  const messages = person.snapshot().conversations.flatMap((one) => one.messages);
  for (const message of messages.filter(({ isEphemeral }) => isEphemeral)) {
    await person.dismiss(message);
  }
}

/** Waits until Belay has read the policies at this time or later, for its watch. */
async function waitForPolicies(db: Database, since: Date): Promise<void> {
  const read = db
    .selectFrom('policy_observation')
    .select('connection_id')
    .where('observed_at', '>=', since);
  while (!(await read.executeTakeFirst())) await sleep(50);
}

/** Waits until Belay has posted everything that it has queued. */
async function waitForMessages(db: Database): Promise<void> {
  const waiting = db.selectFrom('delivery_message').select('id').where('state', '=', 'queued');
  while (await waiting.executeTakeFirst()) await sleep(50);
}

async function submitForm(person: Actor, command: string, values: FormValues): Promise<void> {
  await person.send('ops', command);
  const form = await person.see(({ views }) => views.find(({ submit }) => submit), 'a form');
  await person.submit(form, values);
}
