import type { Region } from '../../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { connectionLine } from '../../../slack/ui/answer-connection.ts';
import { input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import {
  channelElement,
  numberElement,
  peopleElement,
  selectElement,
  textElement,
} from '../../../slack/ui/view-values.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import {
  deleteGraceRange,
  type SetupForm,
  type SetupMetadata,
  usersPerHourRange,
  weakeningApprovalsRange,
} from '../setup-form.ts';
import { weakeningLabel } from './format-setup-change.ts';
import { connectionNameBlockId, setupBlocks, setupCallbackId } from './ids.ts';
import { tokenPageOffer } from './token-link.ts';
import { unitInput } from './unit-field.ts';

export const setupTitle = 'Set up Belay';

/** What a form shows while its connection is tested. */
export function testingModal(title: string): ModalView {
  return noticeModal(title, [
    section('Testing the connection… Nothing is saved until the test succeeds.'),
  ]);
}

type SetupDefaults = Omit<SetupForm, 'token' | 'unitName'>;

type SetupModalInput = {
  regions: Region[];
  /** Initial values. The token is never among them: it is not shown again. */
  form: SetupDefaults;
  /** For a menu; undefined if the service does not list them. */
  units: OrganizationalUnit[] | undefined;
  metadata: SetupMetadata;
  /** When a token was entered on a web page for this form. */
  receivedAt?: Date | undefined;
  /** Errors by block id, for when it is too late to show them beside the fields. */
  refused?: { errors: Record<string, string>; hadToken: boolean };
  /** In a workspace with several connections: the default one, which this form is about. */
  connectionName?: string | undefined;
};

type ConnectionInputs = Pick<SetupModalInput, 'regions' | 'units'> & {
  form: Pick<SetupDefaults, 'regionId' | 'tokenOwner' | 'organizationalUnitId'>;
  metadata: Pick<SetupMetadata, 'hasStoredToken' | 'page'>;
  receivedAt?: Date | undefined;
};

export function setupModal(options: SetupModalInput): ModalView {
  return formModal({
    title: setupTitle,
    callbackId: setupCallbackId,
    submit: options.metadata.hasStoredToken ? 'Save' : 'Set up',
    metadata: encodeValue(options.metadata),
    blocks: [
      ...(options.refused ? errorBlocks(options.refused) : []),
      ...(options.connectionName ? [connectionLine(options.connectionName)] : []),
      ...connectionInputs(options),
      ...approvalInputs(options),
      ...limitInputs(options),
    ],
  });
}

/**
 * The form as it was submitted, without the token. If the token was refused for its unit, with a menu
 * of the units that it may use.
 */
export function refusedSetupModal(refused: {
  regions: Region[];
  form: SetupForm;
  units: OrganizationalUnit[];
  errors: Record<string, string>;
  metadata: SetupMetadata;
}): ModalView {
  const { regions, form, units, errors, metadata } = refused;
  const isUnitKnown = units.length > 0;
  return setupModal({
    regions,
    form: isUnitKnown ? { ...form, organizationalUnitId: undefined } : form,
    units: isUnitKnown ? units : undefined,
    metadata,
    refused: { errors, hadToken: form.token !== undefined },
  });
}

export function errorBlocks({
  errors,
  hadToken,
}: NonNullable<SetupModalInput['refused']>): KnownBlock[] {
  const lines = Object.entries(errors).map(
    ([field, error]) => `*${labels[field] ?? field}*: ${safe(error, 500)}`,
  );
  const again = hadToken ? ' Enter the API token again.' : '';
  return [section(`:warning: *Nothing was saved.*${again}\n${lines.join('\n')}`)];
}

const labels: Record<string, string> = {
  [connectionNameBlockId]: 'Name',
  [setupBlocks.region]: 'Region',
  [setupBlocks.token]: 'API token',
  [setupBlocks.tokenOwner]: 'Token owner',
  [setupBlocks.organizationalUnit]: 'Organizational unit',
  [setupBlocks.approvers]: 'Approvers',
  [setupBlocks.approvalsChannel]: 'Approvals channel',
  [setupBlocks.deleteGrace]: 'Deletion grace period (minutes)',
  [setupBlocks.usersPerHour]: 'Users per hour',
  [setupBlocks.weakeningApprovals]: weakeningLabel,
};

export function connectionInputs({
  regions,
  form,
  units,
  metadata,
  receivedAt,
}: ConnectionInputs): KnownBlock[] {
  const { hasStoredToken, page } = metadata;
  return [
    input({
      blockId: setupBlocks.region,
      label: 'Region',
      hint: 'Portal where you sign in to the data-protection service.',
      element: selectElement(
        regions.map(({ id, label, portal }) => ({ value: id, label: `${label} · ${portal}` })),
        form.regionId ?? regions[0]?.id,
      ),
    }),
    input({
      blockId: setupBlocks.token,
      label: 'API token',
      hint: hasStoredToken
        ? 'Leave empty to keep the stored token, which is never shown again.'
        : 'Create a token in that portal. Belay stores the token encrypted and never shows it again.',
      element: textElement({ maxLength: 3000 }),
      isOptional: hasStoredToken || page !== undefined,
    }),
    ...(page ? [tokenPageOffer(page, receivedAt)] : []),
    input({
      blockId: setupBlocks.tokenOwner,
      label: 'Token owner',
      hint: "Email address or ID of the service's user who owns the token. Belay never disables or deletes this user.",
      element: textElement({ maxLength: 255, initial: form.tokenOwner }),
      isOptional: true,
    }),
    unitInput(form.organizationalUnitId, units),
  ];
}

function approvalInputs({ form }: SetupModalInput): KnownBlock[] {
  return [
    input({
      blockId: setupBlocks.approvers,
      label: 'Approvers',
      hint: 'Choose who approves requests. Leave empty to use the admins. Nobody can approve their own request. To choose user groups, run /belay access.',
      element: peopleElement(form.approvers.filter((id) => !isUserGroup(id))),
      isOptional: true,
    }),
    input({
      blockId: setupBlocks.approvalsChannel,
      label: 'Approvals channel',
      hint: 'Channel where requests are posted. Leave empty to post each request where it is made.',
      element: channelElement(form.approvalsChannelId),
      isOptional: true,
    }),
  ];
}

function limitInputs({ form }: SetupModalInput): KnownBlock[] {
  return [
    input({
      blockId: setupBlocks.deleteGrace,
      label: 'Deletion grace period (minutes)',
      hint: 'Time between disabling and deleting a user, during which the deletion can be canceled. Enter 0 to delete immediately.',
      element: numberElement({ ...deleteGraceRange, initial: form.deleteGraceMinutes }),
    }),
    input({
      blockId: setupBlocks.usersPerHour,
      label: 'Users per hour',
      hint: 'Maximum number of users who can be disabled or deleted within an hour.',
      element: numberElement({ ...usersPerHourRange, initial: form.usersPerHour }),
    }),
    input({
      blockId: setupBlocks.weakeningApprovals,
      label: weakeningLabel,
      hint: "Number of people, 1 to 3, who must approve a change that weakens a backup policy. The requester doesn't count.",
      element: numberElement({ ...weakeningApprovalsRange, initial: form.weakeningApprovals }),
    }),
  ];
}
