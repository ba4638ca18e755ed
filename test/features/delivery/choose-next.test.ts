import { addSeconds } from 'date-fns/addSeconds';
import { expect, it } from 'vitest';
import { chooseNext } from '../../../src/features/delivery/choose-next.ts';
import type { LiveSummary, WaitingMessage } from '../../../src/features/delivery/delivery-store.ts';
import { noon } from '../../storage/rows.ts';

const posted = { channelId: 'C1', messageTs: '1.000001' };
const first: WaitingMessage = {
  kind: 'message',
  id: 1,
  version: 1,
  place: 5,
  message: { text: 'one' },
  queuedAt: noon,
  posted: undefined,
  thread: undefined,
};

function summary(changes: Partial<LiveSummary> = {}): LiveSummary {
  return {
    kind: 'summary',
    id: 1,
    version: 1,
    place: 9,
    title: 'all',
    counts: { error: 1 },
    since: noon,
    lastAt: noon,
    untoldSince: noon,
    sentAt: undefined,
    posted: undefined,
    ...changes,
  };
}

const choose = (message: WaitingMessage | undefined, summaries: LiveSummary[], seconds = 0) =>
  chooseNext({ first: message, summaries, lastPlace: 9 }, addSeconds(noon, seconds));

it('rests where nothing waits', () => {
  expect(choose(undefined, [])).toEqual({ kind: 'rest', until: undefined });
});

it('gives a new summary its place in the queue', () => {
  expect(choose(first, [summary()])).toMatchObject({ kind: 'message' });
  expect(choose(first, [summary({ place: 4 })])).toMatchObject({ kind: 'summary' });
});

it('lets a posted summary go first when its new face is due', () => {
  const growing = summary({ posted, sentAt: noon });
  expect(choose(first, [growing], 4)).toMatchObject({ kind: 'message' });
  expect(choose(first, [growing], 5)).toMatchObject({ kind: 'summary', isLast: false });
  expect(choose(undefined, [growing], 1)).toEqual({ kind: 'rest', until: addSeconds(noon, 5) });
});

it('closes a summary after two quiet minutes, told or not', () => {
  const told = summary({ posted, sentAt: noon, untoldSince: undefined });
  expect(choose(undefined, [told], 60)).toEqual({ kind: 'rest', until: addSeconds(noon, 120) });
  expect(choose(undefined, [told], 120)).toMatchObject({ kind: 'summary', isLast: true });
  expect(choose(undefined, [summary()], 120)).toMatchObject({ kind: 'summary', isLast: true });
});

it('closes a summary after ten minutes though it grows', () => {
  const growing = summary({ posted, sentAt: addSeconds(noon, 598), lastAt: addSeconds(noon, 599) });
  expect(choose(first, [growing], 599)).toMatchObject({ kind: 'message' });
  expect(choose(first, [growing], 600)).toMatchObject({ kind: 'summary', isLast: true });
});

it('spaces many summaries so that they take half of the channel', () => {
  const ten = Array.from({ length: 10 }, (_, id) => summary({ id, posted, sentAt: noon }));
  expect(choose(first, ten, 19)).toMatchObject({ kind: 'message' });
  expect(choose(first, ten, 20)).toMatchObject({ kind: 'summary' });
});

it('does not let a new summary at the end of the queue hide one that is due', () => {
  const behind = summary({ id: 2 });
  const due = summary({ id: 3, posted, sentAt: noon, lastAt: addSeconds(noon, 5) });
  expect(choose(first, [behind, due], 6)).toMatchObject({ kind: 'summary', item: { id: 3 } });
});
