import { z } from 'zod';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import type { RequestButton } from '../../requests/action.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { offersBreakGlass } from '../../requests/break-glass/break-glass-right.ts';
import { operatorRefusal } from '../../requests/guards.ts';
import { directMessageRefusal } from '../../requests/views/requested-message.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import {
  type CommandInteraction,
  type Interaction,
  Refusal,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, openPendingModal } from '../../slack/ui/modal.ts';
import { code, mention, mentionedUser, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { offersAction } from '../../workspace/permissions.ts';
import { openEntered, parseUserList, registerBulk } from './bulk/register-bulk.ts';
import { readProtection } from './check-protected-user.ts';
import { resolveUser } from './find-users.ts';
import { registerInvitations } from './invite/register-invitations.ts';
import { isInvited } from './invite/stored-invitation.ts';
import { openFormForId, openFormForTarget } from './open-request.ts';
import { readAccess } from './preview-user.ts';
import { offersInvitations, readUserQuery, showUsers } from './show-users.ts';
import { checkRequest, prepareAction, submitRequest } from './submit-request.ts';
import { takeReason } from './take-reason.ts';
import {
  bulkVerbs,
  chooseActionId,
  isRemoval,
  requestActionIds,
  showActionId,
  userPager,
  type Verb,
  verbs,
} from './views/ids.ts';
import { type FilledIn, modalTitles, requestForm, requestMetadata } from './views/request-modal.ts';
import { noUserMessage, userCard } from './views/user-message.ts';

const userValue = z.object({ userId: z.string() });
const loadingText = 'Looking up the user…';

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
      const context = await readFormContext(verb, call, approvals);
      const { teamId, channelId, messageTs } = call;
      const clickedOn = channelId && messageTs ? { channelId, messageTs } : undefined;
      const { connectionId } = context;
      const onNoChange = async () =>
        clickedOn && approvals.hideUndo({ teamId, connectionId, clickedOn });
      const input = { ...context, channelId, onNoChange };
      await openPendingModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
        openFormForId(value.userId, input),
      );
      return undefined;
    });
  }

  listeners.action(chooseActionId, requestMetadata, async (call) => {
    const { userId, verb, channelId, isRepeat, filledIn } = call.value;
    const context = await readFormContext(verb, { ...call, channelId }, approvals);
    await fillModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
      openFormForId(userId, { ...context, channelId, isRepeat, filledIn }),
    );
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

/** What every form needs. @throws Refusal if no request can be made, before the form opens. */
async function readFormContext(
  verb: Verb,
  call: Interaction & { channelId: string | undefined },
  approvals: Approvals,
) {
  const { teamId, person, slack, channelId } = call;
  const [service, settings] = await Promise.all([call.service(), call.settings()]);
  const mayBreakGlass = offersBreakGlass(person, settings, requestActionIds[verb]);
  const notOperator = operatorRefusal(person, settings, requestActionIds[verb]);
  if (notOperator !== undefined && !mayBreakGlass) {
    throw new Refusal(notice(`${notOperator} Nothing was changed.`));
  }
  const isPostedHere = settings.approvalsChannel === undefined;
  if (isPostedHere && channelId !== undefined && isDirectChannel(channelId)) {
    throw new Refusal(notice(directMessageRefusal));
  }
  const { client, connectionId } = service;
  const change = { teamId, connectionId, action: requestActionIds[verb] };
  const askAboutOpen = (subjectId: string, again: RequestButton) =>
    approvals.askAboutOpen({ ...change, subjectId, person, again });
  const { deleteGraceMinutes } = settings;
  const { protectedUsers } = settings.access;
  const warnOfRefusal = (user: User) => {
    const filledIn = { newFullName: '', graceMinutes: deleteGraceMinutes };
    const prepared = prepareAction({ verb }, user, service, filledIn);
    return approvals.warnOfRefusal({ teamId, requester: person, settings, slack, prepared });
  };
  const findProtection = async (user: User) =>
    isRemoval(verb) ? readProtection(user, { client, protectedUsers }) : undefined;
  const asking = { askAboutOpen, warnOfRefusal, findProtection };
  const facts = { verb, client, connectionId, deleteGraceMinutes, mayBreakGlass };
  return { ...facts, ...asking };
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
    if (query.text === '' || query.state) return showUsers(call, query);
    const { client } = await call.service();
    for (const text of queries) {
      const found = await resolveUser(client, text);
      const [user, another] = found.users;
      if (!user) continue;
      if (!another && found.isComplete) return showCard(user, call);
      return showUsers(call, { text, start: 0 }, found);
    }
    return noUserMessage(queries);
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
    isListedFor: async ({ person, settings }) =>
      !person.standing || offersAction(person, await settings(), requestActionIds[verb]),
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
      const target = isSelf ? `<@${person.slackUserId}>` : text;
      const read = await readTarget(target, { slack, allowsName: false });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const [query] = read.queries;
      if (!query) return notice(`Which user? Example: \`/belay ${verb} ana@example.com\``);
      const context = await readFormContext(verb, call, approvals);
      const input = { ...context, channelId, filledIn };
      await openPendingModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
        openFormForTarget(query, input),
      );
      return undefined;
    },
  };
}

/** `kim lee because …`, and for a new name `kim lee to Kim Park`. `text` names the user. */
function readRequest(verb: Verb, typed: string): FilledIn & { text: string } {
  const { text: about, reason } = takeReason(typed.trim());
  const [, text = about, newName] =
    verb === 'rename' ? (/^(.+?)\s+to\s+(.+)$/is.exec(about) ?? []) : [];
  return {
    text: text.trim(),
    reason,
    newName: newName === undefined ? undefined : unescapeMrkdwn(newName).trim().slice(0, 255),
  };
}

function hiddenAddress(slackUserId: string) {
  return notice(
    `Slack doesn't show Belay the email address of ${mention(slackUserId)}. Type the address instead of the mention.`,
  );
}

/** What to search for, in this order until something is found; empty if nothing was typed. */
type Target = { queries: string[] } | { hiddenAddress: string };

/**
 * The user that a person typed, as plain text. Slack sends `@ana` as a mention, which stands for that
 * person's email address and, only to look (`allowsName`), for their name: two people can share one.
 * `hiddenAddress` is the mentioned person, if Slack shows nothing to search for.
 */
async function readTarget(
  text: string,
  { slack, allowsName }: { slack: SlackClient; allowsName: boolean },
): Promise<Target> {
  const mentioned = mentionedUser(/<@[^>]*>/.exec(text)?.[0] ?? '');
  if (mentioned === undefined) return { queries: [readTyped(text)].filter(Boolean) };
  const { email, name } = await readPerson(slack, mentioned);
  // Slack may leave an address empty instead of leaving it out.
  const queries = [email, allowsName ? name : undefined].flatMap((one) => one || []);
  return queries.length > 0 ? { queries } : { hiddenAddress: mentioned };
}

/** Of other things that Slack marks up only the label: `#ops` of `<#C1|ops>`, `@ops` of a group. */
function readTyped(text: string): string {
  const plain = text.replaceAll(/<([#@!])[^|>]*(?:\|([^>]*))?>/g, (_, sigil: string, label = '') =>
    sigil === '#' ? `#${label}` : label,
  );
  return unescapeMrkdwn(plain)
    .trim()
    .replace(/^@(?=\S)/, '')
    .trim();
}

/** The card of the user with this id, as the service has them now. */
async function showUser(userId: string, call: Interaction): Promise<Message> {
  const { client } = await call.service();
  try {
    return await showCard(await readUser(client, userId), call);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return notice(
      `Not found: the user with the ID ${code(userId)} was deleted or moved to another organizational unit.`,
    );
  }
}

/** With the buttons for what this person may request. */
async function showCard(user: User, call: Interaction): Promise<Message> {
  const [{ client }, settings] = await Promise.all([call.service(), call.settings()]);
  const [access, protection] = await Promise.all([
    readAccess(client, user),
    readProtection(user, { client, protectedUsers: settings.access.protectedUsers }),
  ]);
  const { person } = call;
  const offered = verbs.filter((verb) => offersAction(person, settings, requestActionIds[verb]));
  const canInvite = isInvited(user) && !protection && (await offersInvitations(client, call));
  return userCard(user, { access, protection, verbs: offered, canInvite });
}
