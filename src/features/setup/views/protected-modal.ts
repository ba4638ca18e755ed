import { input, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import { type ProtectedUsers, protectedKinds } from '../../workspaces/index.ts';
import { maxFieldLength, type ProtectedMetadata, toField } from '../rules/protected-form.ts';
import { protectedLabels } from './format-rule-change.ts';
import { protectedCallbackId } from './ids.ts';

export const protectedTitle = 'Protected users';

const hints = {
  addresses: 'One on each line. Aliases of the same mailbox are protected, too.',
  domains: 'One on each line, such as example.com. Subdomains are protected, too.',
  roles: "Names or IDs of the service's roles, one on each line.",
};

type ProtectedModalInput = {
  users: ProtectedUsers;
  metadata: ProtectedMetadata;
  /** Errors by block id, shown above the fields because the form was acknowledged already. */
  errors?: Record<string, string> | undefined;
};

/** Who is never disabled or deleted through Belay, to be changed. */
export function protectedModal({ users, metadata, errors = {} }: ProtectedModalInput): ModalView {
  return formModal({
    title: protectedTitle,
    callbackId: protectedCallbackId,
    submit: 'Review changes',
    metadata: encodeValue(metadata),
    blocks: [
      ...Object.values(errors).map((error) =>
        section(`:warning: *Nothing was saved.* ${safe(error, 500)}`),
      ),
      section(
        'Belay never disables or deletes these users of the service. Renaming and re-enabling are allowed.',
      ),
      ...protectedKinds.map((kind) =>
        input({
          blockId: kind,
          label: protectedLabels[kind],
          hint: hints[kind],
          isOptional: true,
          element: textElement({
            maxLength: maxFieldLength,
            isMultiline: true,
            initial: toField(users[kind]),
          }),
        }),
      ),
    ],
  });
}

export const protectedNotice = (text: string): ModalView =>
  noticeModal(protectedTitle, [section(text)]);

export const tooLongForForm = protectedNotice(
  `These lists are too long for a form in Slack. Ask your Belay administrator to change them with ${code('config apply')}.`,
);
