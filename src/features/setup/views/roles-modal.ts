import { context, input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { multiSelectElement, peopleElement } from '../../../slack/ui/view-values.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import {
  type GroupChoice,
  groupsBlockId,
  maxListedGroups,
  type NamedByRole,
  type RoleName,
  type RolesMetadata,
  roleNames,
} from '../roles/roles-form.ts';
import { rolesCallbackId } from './ids.ts';

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
  /** Errors by block id, for when it is too late to mark the fields. */
  errors?: Record<string, string> | undefined;
};

/** Who has which role, to be changed. */
export function rolesModal({ named, choice, metadata, errors = {} }: RolesModalInput): ModalView {
  const { groups = [] } = choice;
  const hasGroups = groups.length > 0;
  return formModal({
    title: changeTitle,
    callbackId: rolesCallbackId,
    submit: 'Review changes',
    metadata: encodeValue({ ...metadata, hasGroups }),
    blocks: [
      ...Object.entries(errors).map(([, error]) =>
        section(`:warning: *Nothing was saved.* ${safe(error, 500)}`),
      ),
      ...roleNames.flatMap((role): KnownBlock[] => [
        input({
          blockId: role,
          label: roleLabels[role],
          hint: hints[role],
          element: peopleElement(named[role].filter((id) => !isUserGroup(id))),
          isOptional: true,
        }),
        ...(hasGroups ? [groupInput(role, named, groups)] : []),
      ]),
      ...groupNotice(choice),
    ],
  });
}

function groupInput(
  role: RoleName,
  named: NamedByRole,
  groups: NonNullable<GroupChoice['groups']>,
): KnownBlock {
  const choices = groups.map(({ id, name, handle }) => ({
    value: id,
    label: handle && handle !== name ? `${name} (@${handle})` : name,
  }));
  return input({
    blockId: groupsBlockId(role),
    label: `${roleLabels[role]}: user groups`,
    hint: 'Applies to current and future members of these groups.',
    element: multiSelectElement(choices, named[role]),
    isOptional: true,
  });
}

function groupNotice(choice: GroupChoice): KnownBlock[] {
  if (choice.groups) {
    return choice.isCut
      ? [context(`Showing the first ${maxListedGroups} user groups by name.`)]
      : [];
  }
  return [
    context(
      choice.isScopeMissing
        ? `User groups can't be changed: Belay is missing the Slack scope ${code('usergroups:read')}. Ask your Belay administrator to update the app from ${code('manifest.yml')} and install it again.`
        : "User groups can't be changed right now, because Slack didn't return them. Groups that have a role keep it.",
    ),
  ];
}

export const rolesNotice = (text: string): ModalView => noticeModal(changeTitle, [section(text)]);
