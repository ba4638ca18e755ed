export {
  type AccessSettings,
  defaultAccess,
  hasNamedRoles,
  namedGroups,
  type Roles,
  roles,
} from './access.ts';
export { admins, createOpenContext, requireMayChange, whoMayChange } from './call.ts';
export {
  type FindConnection,
  findAmong,
  formatConnectionName,
} from './choose-connection.ts';
export {
  approvalKey,
  changedApprovals,
  changedProtection,
  changedRules,
  hasSameApprovals,
  type ProtectedChange,
  protectedKinds,
  type RuleChange,
  type RulePart,
  ruleParts,
} from './compare-rules.ts';
export { createEndWithConnection } from './end-with-connection.ts';
export { enqueueNamed } from './enqueue-named.ts';
export { isUserGroup, members } from './members.ts';
export {
  createOpenService,
  createServiceOf,
  notConnected,
  type OpenService,
  RegionMissingError,
  type Service,
  TokenUnreadableError,
} from './open-service.ts';
export {
  createOpenSettings,
  type OpenSettings,
  type SettingsClient,
  type SettingsTarget,
  SetupChangedError,
} from './open-settings.ts';
export {
  GroupUnreadError,
  isAdmin,
  isApproverOrAdmin,
  mayAudit,
  mayDecide,
  mayRequest,
  mayRequestAction,
  mayView,
  type NamedPeople,
  offersAction,
  shownRights,
} from './permissions.ts';
export { parseRuleFacts } from './rule-facts.ts';
export {
  type ActionRule,
  type ActionRules,
  actionRule,
  actionsRuledBy,
  defaultRule,
  type ProtectedUsers,
  protectedUsers,
  type RequiredApproval,
  type RuledAction,
  requiredApproval,
  ruledActionOf,
  ruledActions,
  ruleOf,
} from './rules.ts';
export {
  type FormChange,
  formChange,
  type SavedChange,
  type SetupChange,
  type SetupValues,
  setupChange,
} from './setup-change.ts';
export { listUnreadableChanges } from './store/announce-changes.ts';
export {
  addConfiguredChange,
  changePinOwner,
  lockWorkspaces,
  readStoredSetup,
  recordConfiguredChange,
  type StoredConnection,
  type StoredSetup,
  saveConfiguredChange,
} from './store/configured-workspace.ts';
export { listApprovalsChannels, listConnectedTeams } from './store/connected-teams.ts';
export { dropEndedChange, eraseSetupChanges } from './store/drop-changes.ts';
export { pinChannel, unpinChannel } from './store/pin-channel.ts';
export {
  type ApprovedConfiguration,
  lockConnections,
  lockSavedSettings,
  type SetupHandlers,
} from './store/save-setup.ts';
export { sealedTokens } from './store/sealed-tokens.ts';
export { createTokenCipher, type TokenCipher, tokenBinding } from './store/token-cipher.ts';
export {
  createTokenExpiryStore,
  type ExpiringToken,
  type TokenExpiryStore,
} from './store/token-expiry.ts';
export {
  createTokenPageStore,
  type PageFacts,
  type ReceivedToken,
  type TokenLink,
  type TokenPageStore,
} from './store/token-pages.ts';
export { createWorkspaceStore, type WorkspaceStore } from './store/workspace-store.ts';
export {
  formatRulePart,
  ruledActionNames,
  rulePartLabels,
} from './views/format-rule.ts';
export {
  type Connection,
  type ConnectionRef,
  type ConnectionSummary,
  type ConnectionTarget,
  type CurrentSetup,
  type NewConnection,
  type RemovedConnection,
  type SaveResult,
  type ServiceRef,
  type Setup,
  serviceConnection,
  type WorkspaceSettings,
} from './workspace.ts';
