import type { Region } from '../../../src/dataprotection/region.ts';
import { accessMessage } from '../../../src/features/setup/views/access-message.ts';
import { announcementMessage } from '../../../src/features/setup/views/announcement-message.ts';
import { confirmModal } from '../../../src/features/setup/views/confirm-modal.ts';
import { connectionModal, ownerModal } from '../../../src/features/setup/views/connection-form.ts';
import { connectionListMessage } from '../../../src/features/setup/views/connection-list-message.ts';
import { expiryMessage } from '../../../src/features/setup/views/expiry-message.ts';
import { protectedModal } from '../../../src/features/setup/views/protected-form.ts';
import { rolesModal } from '../../../src/features/setup/views/roles-form.ts';
import { ruleModal } from '../../../src/features/setup/views/rule-form.ts';
import {
  aboutAdminModal,
  accessSavedModal,
  connectionSavedModal,
  requestedModal,
  savedNotices,
} from '../../../src/features/setup/views/saved-modal.ts';
import {
  firstSetupModal,
  overviewModal,
  settingForms,
  settingModal,
  setupTitle,
  testingModal,
} from '../../../src/features/setup/views/setup-modal.ts';
import {
  tokenLinkModal,
  tokenReceivedMessage,
} from '../../../src/features/setup/views/token-link.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { withErrors } from '../../../src/slack/ui/form.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { defaultAccess } from '../../../src/workspace/settings/document.ts';
import { settingsOf } from '../../../src/workspace/setup-change.ts';
import { sampleNow as at, channelId, people } from '../sample-place.ts';
import type { Samples } from '../samples.ts';
import { changeOfRules } from './sample-change.ts';

const region: Region = {
  id: 'us-west',
  label: 'US West',
  portal: 'west.portal.example',
  baseUrl: 'https://west.api.example',
  dialect: 'documented',
  requestsPerSecond: 50,
};

const portalToken = 'token-of-the-portal';

/** Every message and modal of setup, with `text` wherever people or the service can put text. */
export function everySetupView(samples: Samples): Record<string, unknown[]> {
  const { change, units, problem } = samples;
  const items = [`+ complianceWatches: ${JSON.stringify({ name: samples.policyName })}`];
  const ofConfiguration = { ...change, configuration: { changes: [change], items } };
  const [unit = { id: 'ou-1', name: samples.region, otherFields: {} }] = units;
  const owner = samples.users[0].email ?? '';
  const form = {
    regionId: region.id,
    token: undefined,
    tokenOwner: owner.slice(0, 255),
    organizationalUnitId: unit.id.slice(0, 255),
    unitName: unit.name,
  };
  const named = { name: unit.name, otherFields: {} };
  const unitLists = [
    undefined,
    [],
    units,
    [
      { id: '1', ...named },
      { id: '2', ...named },
    ],
  ];
  const formId = '0f9d3c9e-0000-4000-8000-000000000003';
  const metadata = { channelId, page: { formId, tokenFor: formId } };
  const voids = Array.from({ length: 12 }, (_, index) => ({
    id: String(index),
    summary: safe(samples.typed),
    requester: people.ana,
    action: 'users.disable',
    isSubject: () => 'no' as const,
  }));
  const originId = '0f9d3c9e-0000-4000-8000-000000000003';
  const listed = Array.from({ length: 20 }, (_, index) => ({
    id: String(index),
    originId,
    name: `europe-${index}`,
    isDefault: index === 0,
    regionId: samples.region,
    organizationalUnitId: unit.id,
    tokenOwner: owner,
    regionLabel: index === 1 ? undefined : samples.region,
    isUsedHere: index === 1,
    token: index === 2 ? ('unreadable' as const) : { expiresAt: index === 3 ? undefined : at },
  }));
  const targets = (['add', 'edit', 'remove', 'make_default'] as const).map((kind) => ({
    ...change,
    target: { kind, originId, name: 'europe', nameBefore: 'eu' },
  }));
  const { access: _, ...settings } = settingsOf(change);
  const fullAccess = changeOfRules(samples.typed).after.access;
  const [first] = listed;
  if (!first) throw new Error('no connection is listed');
  const overview = {
    settings: settingsOf(change),
    connection: { ...first, tokenOwner: change.tokenOwnerBefore },
    regionLabel: change.after.regionLabel,
    isOnly: true,
    isFinishing: false,
    channelId,
  };
  const fullRule = fullAccess.rules['users.delete'] ?? defaultRule;
  const group = 'S0STORAGE1';
  const someRoles = {
    viewers: [group],
    operators: [people.ana, group],
    approvers: [people.ben],
    auditors: [people.cleo],
    admins: [group],
  };
  return {
    firstSetupModal: [
      withErrors(
        firstSetupModal({
          regions: [region],
          form: { token: portalToken },
          metadata,
          receivedAt: at,
        }),
        { regionId: problem, token: problem },
      ),
      firstSetupModal({ regions: [region], form: undefined, metadata: { channelId } }),
      ...unitLists.map((units = []) =>
        withErrors(firstSetupModal({ regions: [region], form, units, metadata }), {
          regionId: problem,
        }),
      ),
    ],
    overviewModal: [
      overviewModal(overview),
      overviewModal({ ...overview, isFinishing: true }),
      ...(['known', 'not_named', 'not_checkable'] as const).map((owner) =>
        overviewModal({
          ...overview,
          notices: savedNotices(
            {
              units,
              owner,
              voidedCount: 2,
              isTokenReplaced: owner === 'known',
              hiddenAddresses: [people.ana],
              missingEventScopes: ['im:history', 'app_mentions:read'],
            },
            overview,
          ),
        }),
      ),
    ],
    settingModal: settingForms.map((form) =>
      withErrors(
        settingModal(form, { settings: overview.settings, metadata: { channelId, revision: 1 } }),
        { [form.name]: problem },
      ),
    ),
    expiryMessage: [undefined, samples.typed].flatMap((connectionName) =>
      [false, true].map((isExpired) =>
        expiryMessage({ connectionName, originId: formId, expiresAt: at, isExpired }),
      ),
    ),
    accessMessage: [
      accessMessage({ ...settings, approvers: [], access: defaultAccess }, []),
      accessMessage({ ...settings, access: fullAccess }, [
        { approver: people.cleo, standIn: people.ana, endsAt: at },
      ]),
    ],
    ruleModal: [
      { groups: [], isCut: false },
      {
        groups: Array.from({ length: 100 }, (_, index) => ({
          id: `S${index}`,
          name: samples.typed || 'x',
          handle: samples.typed,
        })),
        isCut: true,
      },
      { groups: undefined, isScopeMissing: true },
    ].map((choice) =>
      withErrors(
        ruleModal({
          rule: fullRule,
          isRuled: true,
          choice,
          metadata: { channelId, revision: 1, action: 'policies.replace' },
        }),
        { requesters: problem },
      ),
    ),
    protectedModal: [defaultAccess, fullAccess].map(({ protectedUsers: users }) =>
      withErrors(protectedModal(users, { channelId, revision: 1 }), { roles: problem }),
    ),
    accessSavedModal: [accessSavedModal(changeOfRules(samples.typed), 2)],
    rolesModal: [
      { groups: [], isCut: false },
      {
        groups: Array.from({ length: 100 }, (_, index) => ({
          id: `S${index}`,
          name: samples.typed || 'x',
          handle: samples.typed,
        })),
        isCut: true,
      },
      { groups: undefined, isScopeMissing: true },
      { groups: undefined, isScopeMissing: false },
    ].map((choice) =>
      withErrors(rolesModal({ named: someRoles, choice, metadata: { channelId, revision: 1 } }), {
        viewers: problem,
      }),
    ),
    testingModal: [testingModal(setupTitle)],
    tokenLinkModal: [tokenLinkModal('https://belay.example.com/setup/token?link=x')],
    tokenReceivedMessage: [
      tokenReceivedMessage({ tokenFor: 'first' }),
      tokenReceivedMessage({ connection: 'a new connection', tokenFor: 'new' }),
      tokenReceivedMessage({ connection: samples.typed, tokenFor: formId }),
    ],
    confirmModal: [
      ...[
        { kind: 'save' as const, isAlone: true, isAnnounced: true, voids },
        { kind: 'save' as const, isAlone: false, isAnnounced: true, voids },
        { kind: 'save' as const, isAlone: false, isAnnounced: false, voids },
        ...(['approvers', 'admins'] as const).map((decidedBy) => ({
          kind: 'request' as const,
          secondPerson: { decidedBy, isAssumed: true },
          isSubject: true,
          voids,
        })),
      ].flatMap((plan) =>
        [change, changeOfRules(samples.typed), ...targets].map((one) =>
          confirmModal({ change: one, plan, metadata: { changeId: one.changeId } }),
        ),
      ),
    ],
    aboutAdminModal: [aboutAdminModal(voids)],
    connectionListMessage: [true, false].flatMap((isAdmin) =>
      [listed.slice(0, 1), listed].map((connections) =>
        connectionListMessage(connections, {
          channelId: isAdmin ? channelId : 'D1',
          isPinned: true,
          mayPin: isAdmin,
          isAdmin,
          canAdd: true,
        }),
      ),
    ),
    connectionModal: [
      withErrors(
        connectionModal({
          regions: [region],
          form: { ...form, name: 'europe', token: portalToken },
          units: undefined,
          metadata: { channelId, originId, revision: 1, hasStoredToken: true },
        }),
        { regionId: problem, name: problem },
      ),
      connectionModal({
        regions: [region],
        form: undefined,
        units: undefined,
        metadata: {
          channelId,
          revision: 1,
          hasStoredToken: false,
          page: { formId, tokenFor: 'new' },
        },
        receivedAt: at,
      }),
    ],
    ownerModal: [
      withErrors(ownerModal(owner, { channelId, originId, revision: 1, hasStoredToken: true }), {
        tokenOwner: problem,
      }),
    ],
    connectionSavedModal: (['add', 'edit', 'remove', 'make_default'] as const).map((kind) =>
      connectionSavedModal(
        { kind, originId, name: 'europe', nameBefore: 'eu' },
        {
          owner: 'not_checkable',
          tokenOwner: change.tokenOwnerBefore,
          voidedCount: 2,
          isTokenReplaced: true,
        },
      ),
    ),
    requestedModal: [requestedModal(notice(`Sent: ${safe(samples.typed)}`))],
    announcementMessage: [change, ofConfiguration].flatMap((one) =>
      [undefined, people.cleo].flatMap((savedBy) =>
        [undefined, people.ben].map((approvedBy) =>
          announcementMessage({ teamId: 'T1', change: one, savedAt: at, savedBy, approvedBy }),
        ),
      ),
    ),
  };
}
