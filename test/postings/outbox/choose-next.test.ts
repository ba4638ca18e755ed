import { addSeconds } from 'date-fns/addSeconds';
import { expect, it } from 'vitest';
import { chooseNext } from '../../../src/postings/outbox/choose-next.ts';
import type {
  ChannelQueue,
  LiveSummary,
  WaitingMessage,
} from '../../../src/postings/outbox/store/queue.ts';
import { noon } from '../../requests/store/rows.ts';

const posted = { channelId: 'C1', messageTs: '1.000001' };
const first: WaitingMessage = {
  kind: 'message',
  owner: 'U1',
  id: 1,
  version: 1,
  position: 5,
  subject: 'one',
  message: { text: 'one' },
  queuedAt: noon,
  posted: undefined,
  thread: undefined,
  traceparent: undefined,
  attempts: 0,
  retryAt: undefined,
};

function summary(changes: Partial<LiveSummary> = {}): LiveSummary {
  return {
    kind: 'summary',
    owner: 'U1',
    groupKey: 'watch-1',
    id: 1,
    version: 1,
    position: 9,
    title: 'all',
    counts: { error: 1 },
    since: noon,
    lastAt: noon,
    raised: undefined,
    unshownSince: noon,
    sentAt: undefined,
    posted: undefined,
    attempts: 0,
    retryAt: undefined,
    ...changes,
  };
}

const nothing: ChannelQueue = {
  post: undefined,
  edit: undefined,
  reply: undefined,
  summaries: [],
  editsReadyAt: undefined,
  failedEdits: 0,
  changesInARow: 0,
  lastPosition: 9,
};

const choose = (post: WaitingMessage | undefined, summaries: LiveSummary[], seconds = 0) =>
  chooseNext({ ...nothing, post, summaries }, addSeconds(noon, seconds));

it('is idle if nothing is waiting', () => {
  expect(choose(undefined, [])).toEqual({ kind: 'idle', until: undefined });
});

it('orders a new summary by its position in the queue', () => {
  expect(choose(first, [summary()])).toMatchObject({ kind: 'message' });
  expect(choose(first, [summary({ position: 4 })])).toMatchObject({ kind: 'summary' });
});

it('updates a posted summary first if it is due', () => {
  const growing = summary({ posted, sentAt: noon });
  expect(choose(first, [growing], 4)).toMatchObject({ kind: 'message' });
  expect(choose(first, [growing], 5)).toMatchObject({ kind: 'summary', isLast: false });
  expect(choose(undefined, [growing], 1)).toEqual({ kind: 'idle', until: addSeconds(noon, 5) });
});

it('closes a summary after two minutes without growth, shown or not', () => {
  const shown = summary({ posted, sentAt: noon, unshownSince: undefined });
  expect(choose(undefined, [shown], 60)).toEqual({ kind: 'idle', until: addSeconds(noon, 120) });
  expect(choose(undefined, [shown], 120)).toMatchObject({ kind: 'summary', isLast: true });
  expect(choose(undefined, [summary()], 120)).toMatchObject({ kind: 'summary', isLast: true });
});

it('closes a summary after ten minutes even if it grows', () => {
  const growing = summary({ posted, sentAt: addSeconds(noon, 598), lastAt: addSeconds(noon, 599) });
  expect(choose(first, [growing], 599)).toMatchObject({ kind: 'message' });
  expect(choose(first, [growing], 600)).toMatchObject({ kind: 'summary', isLast: true });
});

it("spaces many summaries so that they use half of the channel's capacity", () => {
  const ten = Array.from({ length: 10 }, (_, id) => summary({ id, posted, sentAt: noon }));
  expect(choose(first, ten, 19)).toMatchObject({ kind: 'message' });
  expect(choose(first, ten, 20)).toMatchObject({ kind: 'summary' });
});

it('updates a due summary even if a new summary is at the end of the queue', () => {
  const behind = summary({ id: 2 });
  const due = summary({ id: 3, posted, sentAt: noon, lastAt: addSeconds(noon, 5) });
  expect(choose(first, [behind, due], 6)).toMatchObject({ kind: 'summary', item: { id: 3 } });
});

const edit = { ...first, id: 2, position: 2, posted };
const reply = { ...first, id: 3, position: 3, thread: posted };

it('preserves the order of the queue between new messages, edits and replies', () => {
  const all = { ...nothing, post: first, edit, reply };
  expect(chooseNext(all, noon)).toEqual({ kind: 'message', item: edit });
  expect(chooseNext({ ...all, edit: undefined }, noon)).toEqual({ kind: 'message', item: reply });
  const ahead = { ...first, position: 1 };
  expect(chooseNext({ ...all, post: ahead }, noon)).toEqual({ kind: 'message', item: ahead });
});

it('posts a new message after at most two edits and replies', () => {
  const all = { ...nothing, post: first, edit, reply };
  expect(chooseNext({ ...all, changesInARow: 1 }, noon)).toMatchObject({ item: { id: 2 } });
  expect(chooseNext({ ...all, changesInARow: 2 }, noon)).toMatchObject({ item: { id: 1 } });
  const begun = { ...nothing, edit, summaries: [summary({ id: 4 })], changesInARow: 2 };
  expect(chooseNext(begun, noon)).toMatchObject({ kind: 'summary', item: { id: 4 } });
  expect(chooseNext({ ...nothing, edit, changesInARow: 9 }, noon)).toMatchObject({
    item: { id: 2 },
  });
});

it('skips edits and summary updates while edits are rate-limited', () => {
  const editsReadyAt = addSeconds(noon, 20);
  const limited = {
    ...nothing,
    edit,
    editsReadyAt,
    summaries: [summary({ posted, sentAt: noon })],
  };
  expect(chooseNext({ ...limited, post: first }, noon)).toMatchObject({ item: { id: 1 } });
  expect(chooseNext({ ...limited, reply }, noon)).toMatchObject({ item: { id: 3 } });
  expect(chooseNext(limited, addSeconds(noon, 10))).toEqual({ kind: 'idle', until: editsReadyAt });
  expect(chooseNext(limited, editsReadyAt)).toMatchObject({ kind: 'summary' });
  const idle = chooseNext({ ...nothing, editsReadyAt }, noon);
  expect(idle).toEqual({ kind: 'idle', until: undefined });
});

it('skips a failed edit until its next retry', () => {
  const retryAt = addSeconds(noon, 20);
  const failing = { ...nothing, failedEdits: 3, edit: { ...edit, attempts: 3, retryAt } };
  expect(chooseNext({ ...failing, post: first }, noon)).toMatchObject({ item: { id: 1 } });
  expect(chooseNext(failing, noon)).toEqual({ kind: 'idle', until: retryAt });
  const held = { ...failing, editsReadyAt: addSeconds(noon, 30) };
  expect(chooseNext(held, noon)).toEqual({ kind: 'idle', until: held.editsReadyAt });
  expect(chooseNext({ ...failing, post: first }, retryAt)).toMatchObject({ item: { id: 2 } });
});

it('prefers other edits to a failing summary update, and retries it', () => {
  const failingUpdate = summary({
    posted,
    sentAt: noon,
    attempts: 1,
    retryAt: addSeconds(noon, 8),
  });
  const failing = { ...nothing, post: first, failedEdits: 1, summaries: [failingUpdate] };
  const later = addSeconds(noon, 8);
  expect(chooseNext(failing, addSeconds(noon, 7))).toMatchObject({ item: { id: 1 } });
  expect(chooseNext(failing, later)).toMatchObject({ kind: 'summary' });
  expect(chooseNext({ ...failing, edit }, later)).toMatchObject({ item: { id: 2 } });
  const worked = { ...failing, edit, failedEdits: 0 };
  expect(chooseNext(worked, later)).toMatchObject({ kind: 'summary' });
  const tried = { ...edit, retryAt: addSeconds(noon, 9) };
  expect(chooseNext({ ...failing, edit: tried }, tried.retryAt)).toMatchObject({ kind: 'summary' });
});
