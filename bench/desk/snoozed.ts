import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { watchPosts } from '../replicas/watch-posts.ts';
import { addWatch } from './add-watch.ts';
import { type DeskSetup, isCopy, patienceMs, raise, readMessages } from './stage.ts';

const channelCount = amount(10, 3);
export const snoozedAlerts = amount(30, 4);
/** The snoozes end within so many minutes after the shortest one. */
const lastMinute = amount(4, 1);

export const snoozedChannels = Array.from({ length: channelCount }, (_, index) => ({
  channelId: `C0SNOOZE${String(index).padStart(3, '0')}`,
  name: `snooze-${index}`,
  word: `snooze-word-${String(index).padStart(3, '0')}`,
}));

/** An alert with a message in two channels. */
export type Snoozed = { alertId: string; copies: Message[]; endsAt: Date };

/** Raises alerts, and waits until each has a message in two channels. */
export async function postSnoozed({ testBed }: DeskSetup): Promise<Omit<Snoozed, 'endsAt'>[]> {
  const person = actAs(testBed.slack, people.ben);
  for (const channel of snoozedChannels) await addWatch(person, channel);
  const wordOf = (index: number) => snoozedChannels[index % channelCount]?.word;
  const ids = Array.from({ length: snoozedAlerts }, (_, index) => `snooze-${index}`);
  for (const [index, id] of ids.entries())
    raise(testBed, id, `${wordOf(index)} ${wordOf(index + 1)} #${id}#`);
  let posted: Omit<Snoozed, 'endsAt'>[] = [];
  const isPosted = await waitFor(
    () => {
      const messages = readMessages(testBed);
      const copiesOf = (id: string) => messages.filter(({ text }) => text.includes(`#${id}#`));
      posted = ids.map((alertId) => ({ alertId, copies: copiesOf(alertId) }));
      return posted.every(({ copies }) => copies.length === 2);
    },
    { forMs: patienceMs, everyMs: 500 },
  );
  if (!isPosted) throw new Error('not every alert to be snoozed was posted in two channels');
  return posted;
}

/** Snoozes each alert for a minute or more, and waits until every copy has shown that. */
export async function snoozeAll(
  { testBed: { slack }, db }: DeskSetup,
  posted: Omit<Snoozed, 'endsAt'>[],
): Promise<Snoozed[]> {
  for (const [index, { copies }] of posted.entries()) {
    const person = actAs(slack, index % 2 === 0 ? people.ana : people.cleo);
    const [copy] = copies;
    if (copy) await person.press(copy, 'Another time…');
    const form = await person.seeDialog('At most 30 days.');
    await person.submit(form, { until: { input: `${1 + (index % lastMinute)}m` } });
  }
  const ends = new Map<string, Date>();
  const posts = watchPosts(slack);
  const isShown = await waitFor(
    async () => {
      const rows = await db
        .selectFrom('alert_state')
        .select(['alert_id', 'snoozed_until'])
        .execute();
      for (const row of rows) if (row.snoozed_until) ends.set(row.alert_id, row.snoozed_until);
      const edits = posts.edits().filter(({ text }) => isSnoozed(text));
      const edited = new Set(edits.map(({ messageTs }) => messageTs));
      return posted.every(
        ({ alertId, copies }) =>
          ends.has(alertId) && copies.every(({ messageTs }) => edited.has(messageTs)),
      );
    },
    { forMs: 40_000, everyMs: 200 },
  );
  if (!isShown) throw new Error('not every copy has shown the snooze');
  return posted.flatMap((one) => {
    const endsAt = ends.get(one.alertId);
    return endsAt ? [{ ...one, endsAt }] : [];
  });
}

const isSnoozed = (text: string) => text.includes('Snoozed until');

/** Each snooze has ended: the thread of each copy says so once, after its time, and no copy shows it. */
export async function checkSnoozed(setup: DeskSetup, snoozed: Snoozed[]): Promise<string[]> {
  const { testBed, db } = setup;
  const stored = await db
    .selectFrom('alert_state')
    .select('alert_id')
    .where('snoozed_until', 'is not', null)
    .execute();
  const messages = readMessages(testBed);
  const entries = await db
    .selectFrom('audit_log')
    .select('subject_id')
    .where('event', '=', 'alert_snoozed')
    .execute();
  return [
    ...stored.map(({ alert_id: id }) => `${id} is still snoozed`),
    ...snoozed.flatMap((one) => checkAlert(setup, messages, one)),
    ...snoozed.flatMap(({ alertId }) => {
      const { length } = entries.filter(({ subject_id: subject }) => subject === alertId);
      return length === 1 ? [] : [`${alertId} has ${length} entries of a snooze`];
    }),
  ];
}

function checkAlert(
  setup: DeskSetup,
  messages: Message[],
  { alertId, copies, endsAt }: Snoozed,
): string[] {
  return copies.flatMap(({ messageTs, channelId }) => {
    const now = messages.find((one) => one.messageTs === messageTs && one.channelId === channelId);
    const ended = messages.filter(
      (one) =>
        one.channelId === channelId &&
        one.threadTs === messageTs &&
        one.text.includes('the snooze has ended. This alert is still active.'),
    );
    const where = `${alertId} in ${channelId}`;
    const [first] = ended;
    const isExplained = ended.length > 1 && first && isCopy(setup, first);
    return [
      ...(ended.length === 1 || isExplained
        ? []
        : [`${where}: ${ended.length} messages about the end of the snooze`]),
      ...(first && Number(first.messageTs) * 1000 < endsAt.getTime()
        ? [`${where}: the snooze ended too early`]
        : []),
      ...(now && !isSnoozed(now.text) ? [] : [`${where} still shows the snooze`]),
    ];
  });
}
