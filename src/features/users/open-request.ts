import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import type { RequestButton } from '../../requests/action.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { code, safeName } from '../../slack/ui/mrkdwn.ts';
import { resolveUser } from './find-users.ts';
import { accountMrkdwn, userMrkdwn } from './views/format-user.ts';
import { chooseActionId, type Verb } from './views/ids.ts';
import { chooseModal, type FormContext, modalTitles, requestModal } from './views/request-modal.ts';

type FormInput = FormContext & {
  client: ServiceClient;
  verb: Verb;
  /** The question about an open request for the same change; undefined if there is none. */
  askAboutOpen: (subjectId: string, again: RequestButton) => Promise<KnownBlock[] | undefined>;
  /** Why a request about this user would be refused: mrkdwn. */
  warnOfRefusal: (user: User) => Promise<string | undefined>;
  /** Why nobody can request this about the user: mrkdwn. */
  findProtection: (user: User) => Promise<string | undefined>;
  /** Called if the request would change nothing. */
  onNoChange?: (() => Promise<void>) | undefined;
};

/** The form for the user that `target` names, a choice between several, or why there is none. */
export async function openFormForTarget(target: string, input: FormInput): Promise<ModalView> {
  const found = await resolveUser(input.client, target);
  const [user, another] = found.users;
  if (!user) {
    const words = `No user matches “${safeName(target, 100)}”. No request was sent. Try part of the name or the email address with \`/belay users\`.`;
    return noticeModal(modalTitles[input.verb], [section(words)]);
  }
  if (another || !found.isComplete) return chooseModal(input.verb, target, found, input);
  return formFor(user, input);
}

/** The form for the user with this id, as the service has them now. */
export async function openFormForId(userId: string, input: FormInput): Promise<ModalView> {
  try {
    return await formFor(await readUser(input.client, userId), input);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const words = `The user with the ID ${code(userId)} no longer exists. No request was sent.`;
    return noticeModal(modalTitles[input.verb], [section(words)]);
  }
}

async function formFor(
  user: User,
  { verb, onNoChange, ...context }: FormInput,
): Promise<ModalView> {
  if (user.id.length > maxIdLength) {
    const words = `The ID of ${userMrkdwn(user)} is too long for a form in Slack. No request was sent. Change this user in the portal of the service.`;
    return noticeModal(modalTitles[verb], [section(words)]);
  }
  const reason = noChangeReason(verb, user);
  if (reason) {
    await onNoChange?.();
    return noticeModal(modalTitles[verb], [section(reason)]);
  }
  const [question, warning, protection] = await Promise.all([
    context.isRepeat
      ? undefined
      : context.askAboutOpen(user.id, repeatButton(verb, user.id, context)),
    context.warnOfRefusal(user),
    context.findProtection(user),
  ]);
  if (protection) {
    const words = `${userMrkdwn(user)}\n🔒 ${protection} No request was sent.`;
    return noticeModal(modalTitles[verb], [section(words)]);
  }
  if (question) return noticeModal(modalTitles[verb], question);
  return requestModal(verb, user, { ...context, warning });
}

function repeatButton(
  verb: Verb,
  userId: string,
  { channelId }: Pick<FormContext, 'channelId'>,
): RequestButton {
  const value = encodeValue({ verb, userId, channelId, isRepeat: true });
  return { text: 'Request anyway…', actionId: chooseActionId, value };
}

/** Why a request would change nothing; undefined if it would. */
export function noChangeReason(verb: Verb, user: User): string | undefined {
  if (verb === 'disable' && user.isEnabled === false) {
    return `${accountMrkdwn(user)} is already disabled. No request was sent.`;
  }
  if (verb === 'enable' && user.isEnabled === true) {
    return `${accountMrkdwn(user)} is already enabled. No request was sent.`;
  }
  return undefined;
}
