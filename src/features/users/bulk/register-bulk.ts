import type { ServiceClient } from '../../../dataprotection/client.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type { CommandInteraction, SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { readFields } from '../../../slack/ui/form.ts';
import {
  fillModal,
  finishModal,
  openModal,
  openPendingModal,
  pendingModal,
} from '../../../slack/ui/modal.ts';
import { code, cutMrkdwn, mentionedUser, unescapeMrkdwn } from '../../../slack/ui/mrkdwn.ts';
import { suggest } from '../../../slack/ui/suggest.ts';
import { plural } from '../../../slack/ui/words.ts';
import { requireRequester } from '../open-request.ts';
import { takeReason } from '../read-typed.ts';
import {
  bulkForm,
  bulkTitles,
  continueValue,
  type EnteredUsers,
  enterUsersForm,
  enterUsersModal,
  requestUsersForm,
} from '../views/bulk-modal.ts';
import { type BulkVerb, bulkContinueActionId, bulkOpenActionId, bulkVerbs } from '../views/ids.ts';
import { checkEntered, checkUsers, countEntered, inspectUsers, readByIds } from './check-users.ts';
import type { LeftOut } from './resolve-users.ts';
import { maxBulkUsers } from './several-users.ts';

/** Only a request about one user can be run without approval. */
const noBreakGlass = { allowsBreakGlass: false };
const waiting = 'Looking up the users…';

/** The forms for several users, and `/belay bulk`. */
export function registerBulk(listeners: Listeners, approvals: Approvals): Subcommand {
  listeners.action(bulkOpenActionId, bulkForm, async ({ value: { verb }, ...call }) => {
    const { channelId } = call;
    await requireRequester(call, verb, noBreakGlass);
    return { open: enterUsersModal({ verb, channelId }, { users: '', people: [] }) };
  });

  listeners.form(enterUsersForm, {
    check: checkEntered,
    pending: ({ verb }) => pendingModal({ title: bulkTitles[verb], waiting }),
    async run({ metadata: form, entered, ...call }) {
      await requireRequester({ ...call, channelId: form.channelId }, form.verb, noBreakGlass);
      await finishModal(call, call.viewId, () => checkUsers(form, entered, { call }, approvals));
      return undefined;
    },
  });

  listeners.action(bulkContinueActionId, continueValue, async ({ value, values, ...call }) => {
    const { leftOut: accepted, ...form } = value;
    const entered = readFields(enterUsersForm.fields, values);
    await requireRequester({ ...call, channelId: form.channelId }, form.verb, noBreakGlass);
    await fillModal(call, { title: bulkTitles[form.verb], waiting }, () =>
      checkUsers(form, entered, { call, accepted }, approvals),
    );
    return undefined;
  });

  listeners.form(requestUsersForm, {
    check: ({ count }, { verb, ids: { length } }) => ({
      count: isConfirmed(verb, count, length)
        ? undefined
        : `Enter exactly ${length}. No request was sent.`,
    }),
    run: (call) => submitBulk(call, approvals),
  });

  return {
    name: 'bulk',
    usage: `bulk <${bulkVerbs.join(' | ')}>`,
    summary: `Request approval to change up to ${maxBulkUsers} users at once`,
    details: [
      '`/belay bulk disable` opens a form for a list of email addresses or user IDs.',
      '`/belay disable ana@example.com, ben@example.com` starts with these users.',
      'One approval decides for all users. The message shows the result for each user.',
    ],
    run: (call) => runBulk(call, approvals),
  };
}

function runBulk(call: CommandInteraction, approvals: Approvals): Promise<Message | undefined> {
  const [word = '', ...rest] = call.text.trim().split(/\s+/);
  const verb = bulkVerbs.find((known) => known === word.toLowerCase());
  if (verb) {
    const { text, reason } = takeReason(call.text.trim().slice(word.length).trim());
    return openEntered(verb, readTyped(text), { ...call, reason }, approvals);
  }
  const meant = rest.length === 0 && word ? suggest(word, bulkVerbs) : undefined;
  const hint = meant
    ? `Did you mean ${code(`/belay bulk ${meant}`)}?`
    : 'Use `/belay bulk disable`, `/belay bulk enable` or `/belay bulk delete`.';
  return Promise.resolve(notice(word ? `Unknown action ${code(word, 60)}. ${hint}` : hint));
}

/** The users of a command that names several; undefined if it names one. */
export function parseUserList(text: string): EnteredUsers | undefined {
  const entered = readTyped(text);
  return countEntered(entered) > 1 ? entered : undefined;
}

/** Slack sends `@ana` as a mention. */
function readTyped(text: string): EnteredUsers {
  const mentions = text.match(/<@[^>]*>/g) ?? [];
  const people = mentions.flatMap((one) => mentionedUser(one) ?? []);
  const rest = unescapeMrkdwn(text.replaceAll(/<[@#!][^>]*>/g, ' ')).trim();
  return { users: rest, people: [...new Set(people)] };
}

/** Looks up the users that a command names; opens the form for entering users if there are none. */
export async function openEntered(
  verb: BulkVerb,
  entered: EnteredUsers,
  call: CommandInteraction & { reason?: string | undefined },
  approvals: Approvals,
): Promise<Message | undefined> {
  const { channelId, reason } = call;
  const form = { verb, channelId, reason };
  await requireRequester(call, verb, noBreakGlass);
  const count = countEntered(entered);
  if (count === 0) {
    await openModal(call, enterUsersModal(form, entered));
    return undefined;
  }
  if (count > maxBulkUsers) {
    return notice(
      `At most ${plural(maxBulkUsers, 'user')} in one request. This command names ${count}. Nothing was changed.`,
    );
  }
  await openPendingModal(call, { title: bulkTitles[verb], waiting }, () =>
    checkUsers(form, entered, { call }, approvals),
  );
  return undefined;
}

/** Reads the users again, since the form passed through a client, and requests approval for all. */
async function submitBulk(
  call: SubmissionOf<typeof requestUsersForm>,
  approvals: Approvals,
): Promise<Message> {
  const { metadata, entered } = call;
  const { verb, channelId } = metadata;
  const ids = [...new Set(metadata.ids)];
  const { reason, count } = entered;
  const read = (client: ServiceClient) => readByIds(client, ids);
  const { prepared, subjects, leftOut } = await inspectUsers(call, verb, read, approvals);
  if (leftOut.length > 0 || !prepared || !isConfirmed(verb, count, ids.length)) {
    return notRequestedMessage(changedSince(leftOut), reason);
  }
  return approvals.request(call, { channelId, reason, prepared, subjects });
}

function isConfirmed(verb: BulkVerb, typed: string, count: number): boolean {
  return verb !== 'delete' || typed === String(count);
}

function changedSince(leftOut: LeftOut[]): string {
  const lines = leftOut.map(({ who, why }) => `• ${who}: ${why}`);
  const top =
    lines.length > 0
      ? 'No request was sent, because these users can no longer be included:'
      : "No request was sent, because the confirmation doesn't match the number of users.";
  return cutMrkdwn([top, ...lines].join('\n'), 2000);
}
