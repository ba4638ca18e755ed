import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../../slack/listeners/verified-submission.ts';
import type { ConnectionSummary, CurrentSetup, SetupChange } from '../../workspaces/index.ts';
import { reviewChange } from '../review-change.ts';
import { adminsOnly, type SubmitDependencies, valuesOf } from '../submit-setup.ts';
import { type VerifiedSetup, verifySetup } from '../verify-setup.ts';
import { connectionModal, noticeOfConnection } from '../views/connection-modal.ts';
import { connectionNameBlockId } from '../views/ids.ts';
import {
  changedMeanwhileModal,
  connectionSavedModal,
  savedBeforeModal,
} from '../views/saved-modal.ts';
import {
  type ConnectionForm,
  type ConnectionMetadata,
  maxConnections,
  problemWithName,
  readConnectionForm,
} from './connection-form.ts';

type Submission = SubmissionInteraction<ConnectionMetadata>;

/** Tries the connection of the form, and saves it as a change of the setup is saved. */
export async function submitConnection(
  call: Submission,
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { person, teamId, metadata, values } = call;
  if (!person.isAdmin) return { done: noticeOfConnection(adminsOnly) };
  const { store, regions } = dependencies;
  const { originId, revision, channelId } = metadata;
  // Before the connection is tried: a save during that makes this one stale.
  const current = await store.readSetup(teamId);
  const { connections, settings } = current;
  const edited = connections.find((one) => one.originId === originId);
  const isGone = originId !== undefined && !edited;
  const isFull = originId === undefined && connections.length >= maxConnections;
  if (current.revision !== revision || isGone || isFull || connections.length === 0) {
    return { done: changedMeanwhileModal };
  }
  const form = readConnectionForm(values, settings);
  const problem = problemWithName(
    form.name,
    connections.filter((one) => one !== edited),
  );
  const nameErrors = problem === undefined ? {} : { [connectionNameBlockId]: problem };
  const verified = await verifySetup(
    { teamId, form, edited: edited ? { originId: edited.originId } : 'new' },
    { ...dependencies, checkSlack: async () => nameErrors },
  );
  if (verified.result === 'invalid') {
    const { errors, units } = verified;
    const refused = { errors, hadToken: form.token !== undefined };
    const known = units.length > 0 ? units : undefined;
    return { errors, retry: connectionModal({ regions, form, units: known, metadata, refused }) };
  }
  const change = changeOf({ current, edited, form, verified }, dependencies);
  const reviewed = { change, current, connection: verified.connection, channelId };
  const { review } = await reviewChange(call, reviewed, dependencies);
  return review ?? save(call, { change, current, verified }, dependencies);
}

function changeOf(
  {
    current: { revision, settings },
    edited,
    form,
    verified,
  }: {
    current: CurrentSetup;
    edited: ConnectionSummary | undefined;
    form: ConnectionForm;
    verified: VerifiedSetup;
  },
  { regions, newId }: Pick<SubmitDependencies, 'regions' | 'newId'>,
): SetupChange {
  const { name, tokenOwner } = form;
  const after = valuesOf(verified, form);
  const common = {
    ...{ changeId: newId(), basedOn: revision, after, tokenOwnerAfter: tokenOwner },
    ...{ ownerCheck: verified.owner, connectionId: verified.connection?.id },
    hasNewToken: form.token !== undefined,
  };
  if (!edited) {
    const originId = verified.connection?.id ?? newId();
    return { ...common, target: { kind: 'add', originId, name }, before: after };
  }
  const { originId, regionId, organizationalUnitId, name: nameBefore } = edited;
  const regionLabel = regions.find(({ id }) => id === regionId)?.label ?? regionId;
  return {
    ...common,
    target: { kind: 'edit', originId, name, ...(name !== nameBefore && { nameBefore }) },
    before: { regionId, regionLabel, organizationalUnitId, ...settings },
    tokenOwnerBefore: edited.tokenOwner,
    ...(verified.connection?.id === edited.id && { isSameTenant: true }),
  };
}

/** Saves what needs no review: a new token for the same tenant, or nothing. */
async function save(
  { teamId, enterpriseId, person, viewId, log }: Submission,
  {
    change: { target, tokenOwnerAfter: tokenOwner, isSameTenant: isTokenReplaced = false },
    current: { revision, settings },
    verified: { connection, owner, region },
  }: { change: SetupChange; current: CurrentSetup; verified: VerifiedSetup },
  { store, clock }: SubmitDependencies,
): Promise<VerificationResult> {
  const saved = await store.saveSetup({
    ...{ teamId, enterpriseId, target, connection, settings, tokenOwner },
    ...{ savedBy: person.slackUserId, viewId, basedOn: revision, at: clock() },
  });
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile' || !target) return { done: changedMeanwhileModal };
  log.info({ regionId: region.id, voided: saved.voided.length }, 'a connection was saved');
  const voidedCount = saved.voided.length;
  return {
    done: connectionSavedModal(target, { owner, tokenOwner, voidedCount, isTokenReplaced }),
  };
}
