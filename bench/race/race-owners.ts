import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Alert } from '../../playground/service/resources.ts';
import { acknowledgeActionId } from '../../src/features/alerts/views/ids.ts';
import { type Aim, atMost } from '../aims.ts';
import { addWatch } from '../desk/add-watch.ts';
import { amount } from '../read-options.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { benchPeople } from '../replicas/people.ts';
import { press } from '../replicas/send-interactions.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { percentile, shorten, spread } from '../statistics.ts';
import { openRace, type RaceSetup } from './open-race.ts';
import { raceSnoozes } from './race-snoozes.ts';
import { type Posted, readMessages } from './read-messages.ts';

const alertCount = amount(200, 12);
/** That people acknowledge, snooze and clear at the same moment. */
const mixedCount = amount(40, 6);
const clicksOnEach = 5;
/** Every alert is posted in two of them, and each gets two: one message a second is edited in a channel. */
const channelCount = alertCount;
const maxCopyMs = 5000;
const postMs = 120_000;
const settleMs = 60_000;

/** They acknowledge. */
const clickers = [
  ...benchPeople.map(({ slackUserId }) => slackUserId),
  ...Object.values(people).slice(0, 3),
];

/**
 * Acknowledges every alert as five people at the same moment, then acknowledges, snoozes and clears others,
 * and checks owners, snoozes, copies and log.
 */
export async function raceOwners(
  serverUrl: string | undefined,
  { processes = 4 }: { processes?: number } = {},
) {
  const begun = performance.now();
  const channels = Array.from({ length: channelCount }, (_, index) => ({
    channelId: `C0DESK${String(index).padStart(4, '0')}`,
    name: `desk-${index}`,
  }));
  const setup = await openRace(serverUrl, {
    users: 20,
    oauth: false,
    processes,
    channels,
    dialect: 'live',
  });
  try {
    const { kind, replicas, testBed, db } = setup;
    say(`${kind}, ${replicas.length} processes: ${channelCount} watches are being added.`);
    await addWatches(setup, channels);
    const alerts = raiseAlerts(setup);
    const all = await readPosted(setup, alerts);
    const [posted, mixed] = [all.slice(0, alertCount), all.slice(alertCount)];
    say(
      `${alertCount * clicksOnEach} acknowledgements of ${alertCount} alerts at the same moment.`,
    );
    const clickedAt = Date.now();
    const clicks = await Promise.all(
      posted.flatMap((one, index) => acknowledge(setup, one, index)),
    );
    const unanswered = clicks.filter(({ result }) => result !== 'ok').length;
    const shownAt = await waitForOwners(setup, posted);
    const copyMs = [...shownAt.values()].map((at) => at - clickedAt);
    const rows = await db.selectFrom('alert_state').selectAll().execute();
    const owners = new Map(rows.map(({ alert_key: key, owner }) => [key, owner ?? '']));
    const entries = await db
      .selectFrom('audit_log')
      .select(['subject_id', 'actor'])
      .where('event', '=', 'alert_acknowledged')
      .execute();
    const texts = readTexts(setup);
    await waitFor(() => checkAnswers(setup, posted, owners).length === 0, { forMs: settleMs });
    const violations = [
      ...(unanswered > 0 ? [`${unanswered} clicks were not acknowledged in time`] : []),
      ...posted.flatMap((one) => checkAlert(one, { texts, owners, entries })),
      ...checkAnswers(setup, posted, owners),
    ];
    say(`${mixed.length} alerts are acknowledged, snoozed and cleared at the same moment.`);
    const snoozes = await raceSnoozes(setup, mixed);
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const aims: Aim[] = [
      atMost(
        'From the click to the last copy, p99',
        percentile(copyMs, 0.99) ?? Number.NaN,
        maxCopyMs,
        'ms',
      ),
    ];
    return {
      bench: 'race of owners',
      database: kind,
      processes: replicas.length,
      clicks: clicks.length,
      clickToLastCopyMs: spread(copyMs),
      mixed: snoozes.figures,
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      aims,
      violations: shorten([...violations, ...snoozes.violations, ...breaks]),
    };
  } finally {
    await setup.stop();
  }
}

const wordOf = (channel: number) => `desk-word-${String(channel % channelCount).padStart(3, '0')}-`;

async function addWatches(
  { testBed: { slack } }: RaceSetup,
  channels: { channelId: string; name: string }[],
): Promise<void> {
  for (const [index, { channelId, name }] of channels.entries()) {
    // A person may send 60 commands a minute.
    const person = actAs(slack, clickers[index % clickers.length] ?? people.ana);
    await addWatch(person, { channelId, name, word: wordOf(index) });
  }
}

function raiseAlerts({ testBed: { service, portal } }: RaceSetup): Alert[] {
  return Array.from({ length: alertCount + mixedCount }, (_, index) => {
    const now = new Date().toISOString();
    const words = `${wordOf(index)} ${wordOf(index + 1)}`;
    const alert: Alert = {
      id: `desk-${index}`,
      type: 'backup_failed',
      cause: 'snapshot_not_created',
      severity: 'error',
      status: 'active',
      notes: '',
      raised_count: 1,
      raised_timestamp: now,
      updated_timestamp: now,
      cleared_timestamp: null,
      primary_entity: { id: `entity-${index}`, type: 'vmware_vm', value: `${words} #${index}#` },
    };
    service.putAlert(portal.id, alert);
    return alert;
  });
}

/** @throws if not every alert is posted twice */
async function readPosted(setup: RaceSetup, alerts: Alert[]): Promise<Posted[]> {
  let posted: Posted[] = [];
  const isPosted = await waitFor(
    () => {
      const messages = readMessages(setup);
      posted = alerts.map(({ id }, index) => ({
        alertId: id,
        copies: messages.filter(({ text }) => text.includes(`#${index}#`)),
      }));
      return posted.every(({ copies }) => copies.length === 2);
    },
    { forMs: postMs, everyMs: 500 },
  );
  if (!isPosted) throw new Error('not every alert was posted in two channels');
  return posted;
}

function acknowledge({ testBed, replicas }: RaceSetup, { copies }: Posted, index: number) {
  return Array.from({ length: clicksOnEach }, (_, rival) => {
    const copy = copies[rival % copies.length];
    const to = replicas[(index + rival) % replicas.length];
    const who = clickers[(index * clicksOnEach + rival) % clickers.length];
    const block = copy?.blocks?.find(({ type }) => type === 'actions');
    if (!copy || !to || !who || !block) throw new Error('an alert has no button');
    const post = { ...copy, blockId: block.block_id ?? '', isDirect: false };
    return press(testBed, who, post, acknowledgeActionId, to);
  });
}

/** When the last copy of each alert was edited to show an owner. Who clicked a copy saw it before. */
async function waitForOwners({ posts }: RaceSetup, posted: Posted[]): Promise<Map<string, number>> {
  const shownAt = new Map<string, number>();
  await waitFor(
    () => {
      const edits = posts.edits().filter(({ text }) => ownerIn(text) !== undefined);
      const editedAt = new Map(edits.map(({ messageTs, at }) => [messageTs, at.getTime()]));
      for (const { alertId, copies } of posted) {
        const times = copies.flatMap(({ messageTs }) => editedAt.get(messageTs) ?? []);
        if (times.length === copies.length) shownAt.set(alertId, Math.max(...times));
      }
      return shownAt.size === posted.length;
    },
    { forMs: settleMs, everyMs: 1000 },
  );
  return shownAt;
}

function readTexts(setup: RaceSetup): Map<string, string> {
  return new Map(readMessages(setup).map((one) => [one.messageTs, one.text]));
}

function textsOf(texts: Map<string, string>, { copies }: Posted): string[] {
  return copies.map(({ messageTs }) => texts.get(messageTs) ?? '');
}

function ownerIn(text: string): string | undefined {
  return /Owner: <@(\w+)>/.exec(text)?.[1];
}

function checkAlert(
  posted: Posted,
  {
    texts,
    owners,
    entries,
  }: {
    texts: Map<string, string>;
    owners: Map<string, string>;
    entries: { subject_id: string | null; actor: string | null }[];
  },
): string[] {
  const { alertId } = posted;
  const owner = owners.get(alertId);
  if (!owner) return [`${alertId} has no owner`];
  const shown = textsOf(texts, posted).map(ownerIn);
  const logged = entries.filter(({ subject_id: subject }) => subject === alertId);
  return [
    ...shown.flatMap((one) =>
      one === owner ? [] : [`a copy of ${alertId} shows ${one}, not ${owner}`],
    ),
    ...(logged.length === 1 && logged[0]?.actor === owner
      ? []
      : [`${alertId} has ${logged.length} entries`]),
  ];
}

/** Everybody but the first is answered with the name of the owner. */
function checkAnswers(
  { testBed: { slack } }: RaceSetup,
  posted: Posted[],
  owners: Map<string, string>,
): string[] {
  const answers = slack.received.flatMap(({ via, content }) =>
    via === 'response_url' ? [JSON.stringify(content)] : [],
  );
  return posted.flatMap(({ alertId }, index) => {
    const own = answers.filter((text) => text.includes(`#${index}#`));
    const lost = own.filter((text) =>
      text.includes(`<@${owners.get(alertId)}> already owns`),
    ).length;
    const isRight = lost === clicksOnEach - 1;
    return isRight ? [] : [`${alertId}: ${lost} were answered that another person owns it`];
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
