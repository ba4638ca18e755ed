import { z } from 'zod';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { type Person, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, openPendingModal } from '../../slack/ui/modal.ts';
import { code, mention, mentionedUser, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import {
  directMessageRefusal,
  offersBreakGlass,
  operatorRefusal,
  type RequestButton,
} from '../approvals/index.ts';
import {
  type NamedPeople,
  notConnected,
  type OpenService,
  offersAction,
  type Service,
  type ServiceRef,
} from '../workspaces/index.ts';
import { openEntered, parseUserList, registerBulk } from './bulk/register-bulk.ts';
import { readProtection } from './check-protected-user.ts';
import { resolveUser } from './find-users.ts';
import { openFormForId, openFormForTarget } from './open-request.ts';
import { readAccess, readRoleNames } from './preview-user.ts';
import {
  checkForm,
  prepareAction,
  submitRequest,
  type UsersDependencies,
} from './submit-request.ts';
import {
  bulkVerbs,
  chooseActionId,
  isRemoval,
  reasonBlockId,
  requestActionIds,
  requestCallbackId,
  showActionId,
  type Verb,
  verbs,
} from './views/ids.ts';
import { modalTitles, requestMetadata } from './views/request-modal.ts';
import { userListMessage } from './views/user-list-message.ts';
import { noUserMessage, userCard } from './views/user-message.ts';

const userValue = z.object({ userId: z.string() });
const loadingText = 'Looking up the user…';

export function registerUsers(listeners: Listeners, given: UsersDependencies): Subcommand[] {
  const { approvals } = given;

  listeners.action(
    showActionId,
    userValue,
    async ({ value, ...call }) => ({ reply: await showUser(value.userId, call, given) }),
    { isAnnounced: true },
  );

  for (const verb of verbs) {
    listeners.action(requestActionIds[verb], userValue, async ({ value, ...call }) => {
      const context = await readFormContext(verb, call, given);
      if ('refusal' in context) return { reply: context.refusal };
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
    const { userId, verb, channelId, isRepeat } = call.value;
    const context = await readFormContext(verb, { ...call, channelId }, given);
    if ('refusal' in context) return { reply: context.refusal };
    await fillModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
      openFormForId(userId, { ...context, channelId, isRepeat }),
    );
    return undefined;
  });

  listeners.submission(requestCallbackId, {
    metadata: requestMetadata,
    typed: (values) => values.text(reasonBlockId),
    check: checkForm,
    run: (call) => submitRequest(call, given),
  });

  return [
    searchSubcommand(given),
    ...verbs.map((verb) => requestSubcommand(verb, given)),
    registerBulk(listeners, given),
  ];
}

type FormPlace = Pick<CommandInteraction, 'teamId' | 'person' | 'slack' | 'connection'> & {
  channelId: string | undefined;
};

/** What every form needs, or why no request can be made, checked before the form opens. */
async function readFormContext(
  verb: Verb,
  { teamId, person, slack, connection, channelId }: FormPlace,
  { openService, readSettings, approvals }: UsersDependencies,
) {
  const [service, settings] = await Promise.all([
    openService(teamId, connection),
    readSettings(teamId),
  ]);
  if (!service) return { refusal: notConnected };
  const mayBreakGlass = offersBreakGlass(person, settings, requestActionIds[verb]);
  const notOperator = operatorRefusal(person, settings, requestActionIds[verb]);
  if (notOperator !== undefined && !mayBreakGlass) {
    return { refusal: notice(`${notOperator} Nothing was changed.`) };
  }
  const isPostedHere = settings.approvalsChannelId === undefined;
  if (isPostedHere && channelId !== undefined && isDirectChannel(channelId)) {
    return { refusal: notice(directMessageRefusal) };
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

function searchSubcommand({ openService, readSettings }: UsersDependencies): Subcommand {
  return {
    name: 'users',
    usage: 'users <name, email or ID>',
    summary: 'Find users of the service',
    async run({ text, teamId, person, slack, connection }) {
      const read = await readTarget(text, { slack, allowsName: true });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const { queries } = read;
      if (queries.length === 0) return notice('Which user? Example: `/belay users ana`');
      const service = await openService(teamId, connection);
      if (!service) return notConnected;
      const { client } = service;
      for (const query of queries) {
        const found = await resolveUser(client, query);
        const [user, another] = found.users;
        if (!user) continue;
        if (!another && found.isComplete)
          return showCard(user, service, { person, settings: await readSettings(teamId) });
        return userListMessage(query, found, await readRoleNames(client, found.users));
      }
      return noUserMessage(queries);
    },
  };
}

const summaries: Record<Verb, string> = {
  disable: 'Request approval to disable a user',
  enable: 'Request approval to re-enable a user',
  rename: 'Request approval to rename a user',
  delete: 'Request approval to delete a user',
};

function requestSubcommand(verb: Verb, given: UsersDependencies): Subcommand {
  return {
    name: verb,
    usage: `${verb} <user>`,
    summary: summaries[verb],
    isListedFor: async (teamId, person) =>
      !person.standing ||
      offersAction(person, await given.readSettings(teamId), requestActionIds[verb]),
    async run(call: CommandInteraction) {
      const { text, channelId, slack } = call;
      const bulkVerb = bulkVerbs.find((known) => known === verb);
      const several = bulkVerb && parseUserList(text);
      if (several) return openEntered(bulkVerb, several, call, given);
      const read = await readTarget(text, { slack, allowsName: false });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const [target] = read.queries;
      if (!target) return notice(`Which user? Example: \`/belay ${verb} ana@example.com\``);
      const context = await readFormContext(verb, call, given);
      if ('refusal' in context) return context.refusal;
      const input = { ...context, channelId };
      await openPendingModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
        openFormForTarget(target, input),
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
async function showUser(
  userId: string,
  { teamId, connection, person }: ServiceRef & { person: Person },
  {
    openService,
    readSettings,
  }: { openService: OpenService; readSettings: (teamId: string) => Promise<NamedPeople> },
): Promise<Message> {
  const [service, settings] = await Promise.all([
    openService(teamId, connection),
    readSettings(teamId),
  ]);
  if (!service) return notConnected;
  try {
    const user = await readUser(service.client, userId);
    return await showCard(user, service, { person, settings });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return notice(
      `Not found: the user with the ID ${code(userId)} was deleted or moved to another organizational unit.`,
    );
  }
}

/** With the buttons for what this person may request. */
async function showCard(
  user: User,
  { client }: Service,
  { person, settings }: { person: Person; settings: NamedPeople },
): Promise<Message> {
  const [access, protection] = await Promise.all([
    readAccess(client, user),
    readProtection(user, { client, protectedUsers: settings.access.protectedUsers }),
  ]);
  const offered = verbs.filter((verb) => offersAction(person, settings, requestActionIds[verb]));
  return userCard(user, { access, protection, verbs: offered });
}
