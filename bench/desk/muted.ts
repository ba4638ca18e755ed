import { setTimeout as wait } from 'node:timers/promises';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Database } from '../../src/database/tables.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { countAlerts } from '../storm/count-alerts.ts';
import { addWatch } from './add-watch.ts';
import { type DeskSetup, isCopy, patienceMs, raise, readMessages } from './stage.ts';

const channelCount = amount(20, 3);
export const mutedAlerts = amount(500, 30);
/** The mutes end within so many minutes after the shortest one. */
const lastMinute = amount(4, 1);
/** In which alerts are raised after the last mute has ended. */
const afterMs = amount(20_000, 3000);

export const mutedChannels = Array.from({ length: channelCount }, (_, index) => ({
  channelId: `C0DESK${String(index).padStart(4, '0')}`,
  name: `desk-${index}`,
  word: `desk-word-${String(index).padStart(3, '0')}`,
}));

/** Each channel watches its word and mutes it, for one minute or more. Resolves to the last end. */
export async function muteChannels({ testBed, db }: DeskSetup): Promise<number> {
  const { slack } = testBed;
  for (const [index, channel] of mutedChannels.entries()) {
    const { name, word } = channel;
    const person = actAs(slack, index % 2 === 0 ? people.ana : people.cleo);
    await addWatch(person, channel);
    await person.send(name, `/belay mute "${word}" for ${1 + (index % lastMinute)}m`);
    const form = await person.seeDialog('Mute alerts');
    await person.submit(form, { reason: { input: 'Maintenance' } });
  }
  return readLastEnd(db);
}

async function readLastEnd(db: Database): Promise<number> {
  const ends: number[] = [];
  await waitFor(
    async () => {
      const rows = await db.selectFrom('mute').select('ends_at').execute();
      ends.splice(0, ends.length, ...rows.map((row) => row.ends_at?.getTime() ?? 0));
      return ends.length === channelCount;
    },
    { forMs: patienceMs },
  );
  if (ends.length < channelCount) throw new Error('not every channel was muted');
  return Math.max(...ends);
}

/** Evenly until the last mute has ended, so that some alerts come after the mute of their channel. */
export async function raiseMuted({ testBed }: DeskSetup, endsAt: number): Promise<void> {
  const everyMs = (endsAt + afterMs - Date.now()) / mutedAlerts;
  for (let index = 0; index < mutedAlerts; index += 1) {
    const word = mutedChannels[index % channelCount]?.word;
    raise(testBed, `desk-${index}`, `${word} #${index}#`);
    await wait(everyMs);
  }
}

/** How many alerts the summaries say that the mutes have held. */
export function countHeld(setup: DeskSetup): number {
  return mutedChannels.reduce((sum, { channelId }) => sum + summaryOf(setup, channelId).held, 0);
}

function summaryOf({ testBed }: DeskSetup, channelId: string) {
  const ended = readMessages(testBed).filter(
    (one) => one.channelId === channelId && one.text.includes('Mute ended'),
  );
  const [, held = '0'] = /(\d+) alerts? (?:was|were) held/.exec(ended[0]?.text ?? '') ?? [];
  return { held: Number(held), ended };
}

/** Every alert has one message of its own, or is counted: in the one summary of its mute, or in that of a storm. */
export async function checkMuted(setup: DeskSetup): Promise<string[]> {
  const left = await setup.db
    .selectFrom('watched_alert')
    .select('alert_key')
    .where('notified_as', '=', 'held')
    .execute();
  const violations = mutedChannels.flatMap((channel, index) => checkChannel(setup, channel, index));
  return left.length > 0 ? [...violations, `${left.length} alerts are still held`] : violations;
}

function checkChannel(
  setup: DeskSetup,
  { channelId, name, word }: (typeof mutedChannels)[number],
  index: number,
): string[] {
  const messages = readMessages(setup.testBed).filter((one) => one.channelId === channelId);
  const own = messages.filter(({ text }) => text.includes(`${word} #`));
  const numbers = own.map(({ text }) => /#(\d+)#/.exec(text)?.[1]);
  const repeated = numbers.filter((number, at) => numbers.indexOf(number) < at);
  const unexplained = repeated.filter(
    (number) => !own.some((one) => one.text.includes(`#${number}#`) && isCopy(setup, one)),
  );
  const { held, ended } = summaryOf(setup, channelId);
  const isSummaryCopied = ended.some((one) => isCopy(setup, one));
  const raised = Math.ceil((mutedAlerts - index) / channelCount);
  // After a long outage, many come at once, and some of them are in the summary of a storm.
  const { counted } = countAlerts(messages.map(({ text }) => text));
  const found = new Set(numbers).size + held + counted;
  return [
    ...(found === raised ? [] : [`${name}: ${raised} raised, ${found} posted or counted`]),
    ...(unexplained.length > 0 ? [`${name}: #${unexplained.join(', #')} posted twice`] : []),
    ...(ended.length === 1 || (ended.length > 1 && isSummaryCopied)
      ? []
      : [`${name}: ${ended.length} summaries`]),
  ];
}
