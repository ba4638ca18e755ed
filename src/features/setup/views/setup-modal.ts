import { z } from 'zod';
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
import { defineForm } from '../../../slack/ui/form.ts';
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
  type ShownSetup,
  setupForm,
  setupOrigin,
  shownSetup,
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

type TokenInputs = {
  regions: Region[];
  /** Initial values, or what was entered; undefined for a new connection. The token is not shown again. */
  form: Partial<Pick<ConnectionEntries, 'regionId' | 'token'>> | undefined;
  page: TokenPageForm | undefined;
  /** When a token was entered on a web page for this form. */
  receivedAt?: Date | undefined;
  hasStoredToken: boolean;
};

/** Asks for nothing that has a sensible default. */
export function firstSetupModal({
  metadata,
  units = [],
  ...inputs
}: Omit<TokenInputs, 'page' | 'hasStoredToken'> & {
  metadata: SetupMetadata;
  /** Those that the token may use, if it needs one of them. */
  units?: OrganizationalUnit[];
}): ModalView {
  return setupForm.modal({
    title: setupTitle,
    submit: 'Connect',
    metadata,
    blocks: [
      ...tokenInputs({ ...inputs, page: metadata.page, hasStoredToken: false }),
      ...(units.length > 0 ? [unitInput(undefined, units)] : []),
    ],
  });
}

function tokenInputs({
  regions,
  form,
  page,
  receivedAt,
  hasStoredToken,
}: TokenInputs): KnownBlock[] {
  const { fields } = setupForm;
  return [
    ...(form?.token === undefined ? [] : [section('Enter the API token again.')]),
    fields.regionId.block(form?.regionId ?? regions[0]?.id, {
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
  form: Partial<ConnectionEntries> | undefined;
  /** For a menu; undefined if the service does not list them. */
  units: OrganizationalUnit[] | undefined;
}): KnownBlock[] {
  return [
    ...tokenInputs({ ...inputs, form }),
    ownerInput(form?.tokenOwner),
    unitInput(form?.organizationalUnitId, units),
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

/** The forms of one field each. */
export const settingForms = allSettings.flatMap(({ name, field }) => {
  if (!field) return [];
  const form = defineForm(`setup.${name}`, {
    metadata: shownSetup,
    fields: { [name]: field.declare },
  });
  return [{ name, form, block: field.block, set: field.set }];
});
export type SettingForm = (typeof settingForms)[number];

export function settingModal(
  { form, block }: SettingForm,
  { settings, metadata }: { settings: WorkspaceSettings; metadata: ShownSetup },
): ModalView {
  return form.modal({ title: setupTitle, submit: 'Save', metadata, blocks: [block(settings)] });
}

export const settingValue = setupOrigin.extend({
  setting: z.enum(settingForms.map(({ name }) => name)),
});
