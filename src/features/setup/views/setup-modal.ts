import type { Region } from '../../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import {
  type Button,
  button,
  context,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { bold, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import type { Setting } from '../../../workspace/settings/setting.ts';
import { allSettings, definedSettings } from '../../../workspace/settings/settings.ts';
import type { ConnectionSummary } from '../../../workspace/workspace.ts';
import {
  type ConnectionEntries,
  connectionFields,
  type SetupMetadata,
  setupForm,
  type TokenPageForm,
} from '../setup-form.ts';
import { formatOwner, formatUnit } from './format-setup-change.ts';
import { changeOwnerActionId, changeSettingActionId, editConnectionActionId } from './ids.ts';
import { tokenPageOffer } from './token-link.ts';
import { unitInput } from './unit-field.ts';

export const setupTitle = 'Set up Belay';

/** What a form shows while its connection is tested. */
export function testingModal(title: string): ModalView {
  return noticeModal(title, 'Testing the connection… Nothing is saved until the test succeeds.');
}

/** Initial values. The token is never among them: it is not shown again. */
type ConnectionDefaults = Pick<
  ConnectionEntries,
  'regionId' | 'tokenOwner' | 'organizationalUnitId'
>;

type TokenInputs = {
  regions: Region[];
  page: TokenPageForm | undefined;
  /** When a token was entered on a web page for this form. */
  receivedAt?: Date | undefined;
  /** A token was entered, which the form can't show again. */
  isTokenLost?: boolean | undefined;
  hasStoredToken: boolean;
};

/** Asks for nothing that has a sensible default. */
export function firstSetupModal({
  regionId,
  metadata,
  unit,
  ...inputs
}: Omit<TokenInputs, 'page' | 'hasStoredToken'> & {
  regionId?: string | undefined;
  metadata: SetupMetadata;
  /** If the token needs one of several units. */
  unit?: KnownBlock | undefined;
}): ModalView {
  return setupForm.modal({
    title: setupTitle,
    submit: 'Connect',
    metadata,
    blocks: [
      ...tokenInputs(regionId, { ...inputs, page: metadata.page, hasStoredToken: false }),
      ...(unit ? [unit] : []),
    ],
  });
}

/**
 * The form as it was submitted, without the token. If the token was refused for its unit, with a menu
 * of the units that it may use.
 */
export function refusedSetupModal({
  regions,
  form,
  units,
  metadata,
}: {
  regions: Region[];
  form: ConnectionEntries;
  units: OrganizationalUnit[];
  metadata: SetupMetadata;
}): ModalView {
  return firstSetupModal({
    regions,
    regionId: form.regionId,
    metadata,
    isTokenLost: form.token !== undefined,
    unit: units.length > 0 ? unitInput(undefined, units) : undefined,
  });
}

function tokenInputs(
  regionId: string | undefined,
  { regions, page, receivedAt, isTokenLost, hasStoredToken }: TokenInputs,
): KnownBlock[] {
  const { fields } = setupForm;
  return [
    ...(isTokenLost ? [section('Enter the API token again.')] : []),
    fields.regionId.block(regionId ?? regions[0]?.id, {
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
  ];
}

/** What belongs to one connection. */
export function connectionInputs({
  form,
  units,
  ...inputs
}: TokenInputs & {
  form: ConnectionDefaults;
  /** For a menu; undefined if the service does not list them. */
  units: OrganizationalUnit[] | undefined;
}): KnownBlock[] {
  return [
    ...tokenInputs(form.regionId, inputs),
    ownerInput(form.tokenOwner),
    unitInput(form.organizationalUnitId, units),
  ];
}

const ownerField = connectionFields.tokenOwner('tokenOwner');
export const ownerInput = (owner: string | undefined): KnownBlock => ownerField.block(owner);

/** What is set up in a workspace. */
export type Overview = {
  settings: WorkspaceSettings;
  /** The default one. */
  connection: ConnectionSummary;
  /** Undefined for a region that is no longer in the configuration. */
  regionLabel: string | undefined;
  isOnly: boolean;
  /** Whether the reader may still choose everything without a second person. */
  isFinishing: boolean;
  /** Where setup was opened. */
  channelId: string | undefined;
};

/** All settings, each with a button that opens the form of that one. `notices`: after a save. */
export function overviewModal({
  settings,
  connection,
  regionLabel,
  isOnly,
  isFinishing,
  channelId,
  notices,
}: Overview & { notices?: KnownBlock[] }): ModalView {
  const { originId, name, regionId, organizationalUnitId, tokenOwner } = connection;
  const value = (given: Record<string, unknown>) => encodeValue({ ...given, channelId });
  const change = (label: string, actionId: string, given: Record<string, unknown> = {}) =>
    changeButton('Change', label, actionId, value(given));
  const region = regionLabel ? safe(regionLabel) : safeName(regionId);
  const connected = [
    isOnly ? '*Connection*' : `*Default connection*: ${bold(name)}`,
    `Region: ${region} · Organizational unit: ${formatUnit({ organizationalUnitId })}`,
  ];
  return noticeModal(notices ? 'Belay is set up' : setupTitle, [
    ...(notices ?? []),
    section(
      connected.join('\n'),
      changeButton('Edit', 'Connection', editConnectionActionId, value({ originId })),
    ),
    section(
      `*Token owner*\n${formatOwner(tokenOwner)}`,
      change('Token owner', changeOwnerActionId, { originId }),
    ),
    ...changeable.map((setting) =>
      section(
        `*${setting.label}*\n${setting.format(settings)}`,
        change(setting.label, changeSettingActionId, { setting: setting.name }),
      ),
    ),
    context(isFinishing ? finishingHint : `${secondPersonHint} ${accessHint}`),
  ]);
}

/** Approvers last: with them, changes begin to need a second person. */
const changeable = allSettings
  .filter(({ field }) => field !== undefined)
  .toSorted((one, other) => Number(isApprovers(one)) - Number(isApprovers(other)));

function isApprovers({ name }: Setting): boolean {
  return name === definedSettings.approvers.name;
}

const secondPersonHint = "Changes that could weaken a check require a second person's approval.";
const finishingHint =
  "Each setting has a default that works. For one hour, or until you name approvers, your changes apply at once. After that, changes that could weaken a check require a second person's approval.";
const accessHint = 'For roles, rules and protected users, run `/belay access`.';

function changeButton(text: string, label: string, actionId: string, value: string): Button {
  return button({ text, actionId, value, accessibilityLabel: `${text}: ${label}` });
}
