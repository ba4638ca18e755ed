import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { createRandom } from '../../playground/service/data/random.ts';
import type { Alert } from '../../playground/service/resources.ts';
import { setUpBelay } from '../../playground/set-up-belay.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import { storeStateChange } from '../../src/features/alerts/store/alert-states.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { createAlert } from './make-alerts.ts';
import { openStage, type StormStage } from './open-stage.ts';
import { runStorm, say } from './run-storm.ts';

const mutedChannels = 3;
const mutesPerChannel = amount(17, 2);
const ownedAlerts = amount(2000, 20);
/** Numbers of the alerts that were there before. */
const firstOwned = 900_000;
const setUpMs = 300_000;

const channels = Array.from({ length: mutedChannels }, (_, index) => ({
  channelId: `C0STORM${String(index).padStart(3, '0')}`,
  name: `storm-${index}`,
}));
/** Each mute holds the warnings about the 100 names that begin with its text. */
const mutedTexts = Array.from(
  { length: mutesPerChannel },
  (_, index) => `storm-vm-0${String(index).padStart(2, '0')}0`,
);
const isMuted = (name: string, severity: string) =>
  severity === 'warning' && mutedTexts.some((text) => name.startsWith(text));

type Options = { minutes: number; oauth: boolean; serverUrl: string };

/**
 * Compares a storm that three channels watch with the same storm after people have acknowledged 2,000 of its
 * alerts and muted some in each channel. Mutes count what they hold, and every other alert is shown once.
 */
export async function chaosDeskStorm(options: Options) {
  const plain = await run(options, { hasDesk: false });
  const desk = await run(options, { hasDesk: true });
  const compare = (name: string, figure: (one: typeof plain) => number) =>
    atMost(
      `${name}, compared with a storm without mutes and owners`,
      figure(desk) / figure(plain),
      1.2,
      '×',
    );
  return {
    program: 'desk-storm',
    minutes: options.minutes,
    mutes: channels.length * mutedTexts.length,
    owned: ownedAlerts,
    plain: formatFigures(plain),
    desk: { ...formatFigures(desk), held: desk.held },
    aims: [
      compare('Time to answer', ({ commandMs }) => commandMs),
      compare('Memory in the last minute', ({ lastMinute }) => lastMinute),
    ],
    violations: [...plain.violations, ...desk.violations],
  };
}

type Result = Awaited<ReturnType<typeof runStorm>>;

function formatFigures({ figures, commandMs }: Result) {
  return { ...figures, medianMs: Math.round(commandMs) };
}

async function run({ minutes, oauth, serverUrl }: Options, { hasDesk }: { hasDesk: boolean }) {
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  const workspace = createWorkspace();
  const stage = await openStage({
    oauth,
    workspace: { ...workspace, channels: [...workspace.channels, ...channels] },
    databaseUrl: url,
  });
  try {
    const { slack, service, portal } = stage;
    await setUpBelay(slack, service);
    const random = createRandom(7);
    const older = Array.from({ length: ownedAlerts }, (_, index) =>
      createAlert(random, firstOwned + index),
    );
    for (const alert of older) service.putAlert(portal.id, alert);
    if (hasDesk) {
      say(
        `${ownedAlerts} alerts are acknowledged, and ${mutesPerChannel} mutes added per channel.`,
      );
      await acknowledge(db, older);
      await muteChannels(stage, db);
    }
    const cleo = actAs(slack, people.cleo);
    for (const { name } of channels) await cleo.send(name, '/belay watch all');
    const isWatched = async () => (await readChannels(db, 'watch')).length === channels.length;
    if (!(await waitFor(isWatched, { forMs: setUpMs })))
      throw new Error('not every channel watches');
    const storm = await runStorm(stage, {
      minutes,
      channelIds: channels.map(({ channelId }) => channelId),
      older,
      isShown: (name, severity) => !hasDesk || !isMuted(name, severity),
    });
    const held = await countHeld(db);
    const muted = hasDesk
      ? channels.length * [...storm.made].filter((one) => isMuted(...one)).length
      : 0;
    const violations = [
      ...storm.violations,
      ...(held === muted ? [] : [`the mutes hold ${held} alerts, not ${muted}`]),
      ...(storm.figures.alerts > ownedAlerts ? [] : ['too few alerts to raise all owned ones']),
    ];
    return { ...storm, held, violations };
  } finally {
    await stage.stop();
    await close();
    await drop();
  }
}

/** As Belay does for a click; resolves when background work has read all alerts. */
async function acknowledge(db: Database, alerts: Alert[]): Promise<void> {
  const { team_id: teamId, origin_id: originId } = await db
    .selectFrom('connection')
    .select(['team_id', 'origin_id'])
    .executeTakeFirstOrThrow();
  const at = new Date();
  await db.transaction().execute(async (trx) => {
    for (const { id } of alerts) {
      await storeStateChange(
        trx,
        { teamId, originId },
        {
          alert: { id, title: id },
          change: { what: 'acknowledge', to: people.ben },
          changedAt: at,
          at,
        },
      );
    }
  });
  const isRead = async () => {
    const { count } = await db
      .selectFrom('alert_state')
      .select(({ fn }) => fn.count<number>('refresh_at').as('count'))
      .executeTakeFirstOrThrow();
    return Number(count) === 0;
  };
  if (!(await waitFor(isRead, { forMs: setUpMs, everyMs: 1000 })))
    throw new Error('not every acknowledged alert was read');
}

async function muteChannels({ slack }: StormStage, db: Database): Promise<void> {
  const [ben, cleo] = [actAs(slack, people.ben), actAs(slack, people.cleo)];
  for (const { name } of channels) {
    for (const [index, text] of mutedTexts.entries()) {
      // A person may send 60 commands a minute, which Ana needs for those that are timed.
      const person = index % 2 === 0 ? ben : cleo;
      await person.send(name, `/belay mute "${text}" severity:warning for 2h`);
      const form = await person.seeDialog('Mute alerts');
      await person.submit(form, { reason: { input: 'Maintenance' } });
    }
  }
  const isMuting = async () =>
    (await readChannels(db, 'mute')).length === channels.length * mutedTexts.length;
  if (!(await waitFor(isMuting, { forMs: setUpMs }))) throw new Error('not every mute was added');
}

async function readChannels(db: Database, table: 'watch' | 'mute'): Promise<string[]> {
  const rows = await db.selectFrom(table).select('channel_id').execute();
  return rows.map((row) => row.channel_id);
}

async function countHeld(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('watched_alert')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('notified_as', '=', 'held')
    .where('muted_by', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
