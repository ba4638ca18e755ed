import type { Region } from '../../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { connectionLine } from '../../../slack/ui/answer-connection.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { limitNames } from '../../../workspace/limits.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import { type SetupForm, type SetupMetadata, setupForm } from '../setup-form.ts';
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
  /** A token was entered, which the form can't show again. */
  isTokenLost?: boolean;
  /** In a workspace with several connections: the default one, which this form is about. */
  connectionName?: string | undefined;
};

type ConnectionInputs = Pick<
  SetupModalInput,
  'regions' | 'units' | 'receivedAt' | 'isTokenLost'
> & {
  form: Pick<SetupDefaults, 'regionId' | 'tokenOwner' | 'organizationalUnitId'>;
  metadata: Pick<SetupMetadata, 'hasStoredToken' | 'page'>;
};

export function setupModal(options: SetupModalInput): ModalView {
  return setupForm.modal({
    title: setupTitle,
    submit: options.metadata.hasStoredToken ? 'Save' : 'Set up',
    metadata: options.metadata,
    blocks: [
      ...(options.connectionName ? [connectionLine(options.connectionName)] : []),
      ...connectionInputs(options),
      ...settingInputs(options),
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
  metadata: SetupMetadata;
}): ModalView {
  const { regions, form, units, metadata } = refused;
  const isUnitKnown = units.length > 0;
  return setupModal({
    regions,
    form: isUnitKnown ? { ...form, organizationalUnitId: undefined } : form,
    units: isUnitKnown ? units : undefined,
    metadata,
    isTokenLost: form.token !== undefined,
  });
}

export function connectionInputs({
  regions,
  form,
  units,
  metadata,
  receivedAt,
  isTokenLost,
}: ConnectionInputs): KnownBlock[] {
  const { hasStoredToken, page } = metadata;
  const { fields } = setupForm;
  return [
    ...(isTokenLost ? [section('Enter the API token again.')] : []),
    fields.regionId.block(form.regionId ?? regions[0]?.id, {
      choices: regions.map(({ id, label, portal }) => ({
        value: id,
        label: `${label} · ${portal}`,
      })),
    }),
    fields.token.block('', {
      hint: hasStoredToken
        ? 'Leave empty to keep the stored token, which is never shown again.'
        : 'Create a token in that portal. Belay stores the token encrypted and never shows it again.',
      isOptional: hasStoredToken || page !== undefined,
    }),
    ...(page ? [tokenPageOffer(page, receivedAt)] : []),
    fields.tokenOwner.block(form.tokenOwner),
    unitInput(form.organizationalUnitId, units),
  ];
}

function settingInputs({ form }: SetupModalInput): KnownBlock[] {
  const { fields } = setupForm;
  return [
    fields.approvers.block(form.approvers.filter((id) => !isUserGroup(id))),
    fields.approvalsChannelId.block(form.approvalsChannelId),
    ...limitNames.map((name) => fields[name].block(form[name])),
  ];
}
