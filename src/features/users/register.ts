import { z } from 'zod';
import type { User } from '../../dataprotection/resources/users.ts';
import type { Approvals } from '../../requests/approvals.ts';
import type { CommandInteraction, Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, openPendingModal } from '../../slack/ui/modal.ts';
import { code, mention } from '../../slack/ui/mrkdwn.ts';
import { unquote } from '../../slack/ui/typed-filter.ts';
import { offersTo } from '../../workspace/call.ts';
import { offersAction } from '../../workspace/permissions.ts';
import { openEntered, parseUserList, registerBulk } from './bulk/register-bulk.ts';
import { readProtection } from './check-protected-user.ts';
import { findUser, resolveUser } from './find-users.ts';
import { registerInvitations } from './invite/register-invitations.ts';
import { isInvited } from './invite/stored-invitation.ts';
import { openFormForId, openFormForTarget, requireRequester } from './open-request.ts';
import { readAccess } from './preview-user.ts';
import { readRequest, readTarget } from './read-typed.ts';
import { offersInvitations, readUserQuery, showUsers } from './show-users.ts';
import { checkRequest, submitRequest } from './submit-request.ts';
import {
  bulkVerbs,
  chooseActionId,
  requestActionIds,
  showActionId,
  userPager,
  type Verb,
  verbs,
} from './views/ids.ts';
import { modalTitles, requestForm, requestMetadata } from './views/request-modal.ts';
import { noUserMessage, userCard } from './views/user-message.ts';

const userValue = z.object({ userId: z.string() });
const pendingForm = (verb: Verb) => ({ title: modalTitles[verb], waiting: 'Looking up the user…' });

export function registerUsers(listeners: Listeners, approvals: Approvals): Subcommand[] {
  listeners.action(
    showActionId,
    userValue,
    async ({ value, ...call }) => ({ reply: await showUser(value.userId, call) }),
    { isAnnounced: true },
  );

  listeners.pages(userPager, ({ value, ...call }) => showUsers(call, value));

  for (const verb of verbs) {
    listeners.action(requestActionIds[verb], userValue, async ({ value, ...call }) => {
      await requireRequester(call, verb, { allowsBreakGlass: true });
      const { channelId, messageTs } = call;
      const clickedOn = channelId && messageTs ? { channelId, messageTs } : undefined;
      await openPendingModal(call, pendingForm(verb), () =>
        openFormForId(call, value.userId, { verb, channelId, clickedOn }, approvals),
      );
      return undefined;
    });
  }

  listeners.action(chooseActionId, requestMetadata, async (call) => {
    const { userId, ...input } = call.value;
    const { verb, channelId } = input;
    await requireRequester({ ...call, channelId }, verb, { allowsBreakGlass: true });
    await fillModal(call, pendingForm(verb), () => openFormForId(call, userId, input, approvals));
    return undefined;
  });

  listeners.form(requestForm, {
    check: checkRequest,
    run: (call) => submitRequest(call, approvals),
  });

  return [
    searchSubcommand,
    registerInvitations(listeners, approvals),
    ...verbs.map((verb) => requestSubcommand(verb, approvals)),
    registerBulk(listeners, approvals),
  ];
}

const searchSubcommand: Subcommand = {
  name: 'users',
  usage: 'users [name, email or ID]',
  summary: 'List users of the service, or find some of them',
  details: [
    '`/belay users disabled` lists disabled users, `/belay users invited` those who have not accepted their invitation.',
  ],
  async run(call) {
    const read = await readTarget(call.text, { slack: call.slack, allowsName: true });
    if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
    const { queries } = read;
    const [typed = ''] = queries;
    const query = readUserQuery(typed);
    // A state in quotation marks is part of a name.
    if (query.text === '' || query.state) {
      return showUsers(call, { ...query, text: unquote(query.text) });
    }
    const { client } = await call.service();
    const names = queries.map(unquote);
    for (const text of names) {
      const found = await resolveUser(client, text);
      const [user, another] = found.users;
      if (!user) continue;
      if (!another && found.isComplete) return showCard(user, call);
      return showUsers(call, { text, start: 0 }, found);
    }
    return noUserMessage(names);
  },
};

const summaries: Record<Verb, string> = {
  disable: 'Request approval to disable a user',
  enable: 'Request approval to re-enable a user',
  rename: 'Request approval to rename a user',
  delete: 'Request approval to delete a user',
};

function requestSubcommand(verb: Verb, approvals: Approvals): Subcommand {
  return {
    name: verb,
    usage: `${verb} <user>`,
    summary: summaries[verb],
    isListedFor: (call) => offersTo(call, requestActionIds[verb]),
    async run(call: CommandInteraction) {
      const { channelId, slack, person } = call;
      const { text, ...filledIn } = readRequest(verb, call.text);
      const bulkVerb = bulkVerbs.find((known) => known === verb);
      const several = bulkVerb && parseUserList(text);
      if (several) {
        const { reason } = filledIn;
        return openEntered(bulkVerb, several, { ...call, reason }, approvals);
      }
      const isSelf = ['me', 'myself'].includes(text.toLowerCase());
      const target = isSelf ? `<@${person.slackUserId}>` : unquote(text);
      const read = await readTarget(target, { slack, allowsName: false });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const [query] = read.queries;
      if (!query) return notice(`Which user? Example: \`/belay ${verb} ana@example.com\``);
      await requireRequester(call, verb, { allowsBreakGlass: true });
      await openPendingModal(call, pendingForm(verb), () =>
        openFormForTarget(call, query, { verb, channelId, filledIn }, approvals),
      );
      return undefined;
    },
  };
}

function hiddenAddress(slackUserId: string) {
  return notice(
    `Slack doesn't show Belay the email address of ${mention(slackUserId)}. Type the address instead of the mention.`,
  );
}

/** The card of the user with this id, as the service has them now. */
async function showUser(userId: string, call: Interaction): Promise<Message> {
  const { client } = await call.service();
  const user = await findUser(client, userId);
  if (user) return showCard(user, call);
  return notice(
    `Not found: the user with the ID ${code(userId)} was deleted or moved to another organizational unit.`,
  );
}

/** With the buttons for what this person may request. */
async function showCard(user: User, call: Interaction): Promise<Message> {
  const [{ client }, settings] = await Promise.all([call.service(), call.settings()]);
  const [access, protection] = await Promise.all([
    readAccess(client, user),
    readProtection(client, user, settings.access.protectedUsers),
  ]);
  const { person } = call;
  const offered = verbs.filter((verb) => offersAction(person, settings, requestActionIds[verb]));
  const canInvite = isInvited(user) && !protection && (await offersInvitations(client, call));
  return userCard(user, { access, protection, verbs: offered, canInvite });
}
