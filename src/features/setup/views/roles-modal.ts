import { section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import type { GroupChoice } from '../roles/list-choices.ts';
import {
  type NamedByRole,
  type RoleName,
  type RolesMetadata,
  roleNames,
} from '../roles/roles-form.ts';
import { rolesCallbackId } from './ids.ts';
import { groupNotice, hasGroupMenus, memberInputs } from './member-inputs.ts';

export const rolesTitle = 'Access';
const changeTitle = 'Change roles';

export const roleLabels: Record<RoleName, string> = {
  viewers: 'Viewers',
  operators: 'Operators',
  approvers: 'Approvers',
  auditors: 'Auditors',
  admins: 'Admins',
};

const hints: Record<RoleName, string> = {
  viewers:
    'People who can use Belay. Anyone with another role can too. Leave empty to include every full member.',
  operators: 'People who can request changes. Leave empty to include every viewer.',
  approvers: 'People who can approve or deny requests. Leave empty to use the admins.',
  auditors:
    'People who can read the audit log and see all open requests. Admins always can. Leave empty to use the approvers.',
  admins: 'People who can set up Belay, in addition to the admins of this Slack workspace.',
};

type RolesModalInput = {
  named: NamedByRole;
  choice: GroupChoice;
  metadata: Omit<RolesMetadata, 'hasGroups'>;
  /** Errors by block id, shown above the fields because the form was acknowledged already. */
  errors?: Record<string, string> | undefined;
};

/** Who has which role, to be changed. */
export function rolesModal({ named, choice, metadata, errors = {} }: RolesModalInput): ModalView {
  const hasGroups = hasGroupMenus(choice);
  return formModal({
    title: changeTitle,
    callbackId: rolesCallbackId,
    submit: 'Review changes',
    metadata: encodeValue({ ...metadata, hasGroups }),
    blocks: [
      ...Object.entries(errors).map(([, error]) =>
        section(`:warning: *Nothing was saved.* ${safe(error, 500)}`),
      ),
      ...roleNames.flatMap((role) =>
        memberInputs(
          { blockId: role, label: roleLabels[role], hint: hints[role], ids: named[role] },
          choice,
        ),
      ),
      ...groupNotice(choice),
    ],
  });
}

export const rolesNotice = (text: string): ModalView => noticeModal(changeTitle, [section(text)]);
