import { randomUUID } from 'node:crypto';
import type { SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import type {
  ConnectionSummary,
  ConnectionTarget,
  CurrentSetup,
} from '../../../workspace/workspace.ts';
import { buildChange } from '../build-change.ts';
import { reviewChange } from '../review-change.ts';
import type { SetupContext } from '../setup-context.ts';
import { dropReceived, receivedToken } from '../token-page/received-token.ts';
import { type VerifiedSetup, verifySetup } from '../verify-setup.ts';
import {
  type ConnectionForm,
  type connectionForm,
  connectionModal,
  maxConnections,
  problemWithName,
  readConnectionForm,
} from '../views/connection-form.ts';
import {
  changedMeanwhileModal,
  connectionSavedModal,
  savedBeforeModal,
} from '../views/saved-modal.ts';

type Submission = SubmissionOf<typeof connectionForm>;

/** Tests the connection of the form, then saves or reviews it like any change of the setup. */
export async function submitConnection(
  call: Submission,
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, metadata } = call;
  const { store, regions } = context;
  const { originId, revision, channelId } = metadata;
  // Read before the test: if somebody saves during the test, this form is stale.
  const current = await store.readSetup(teamId);
  const { connections, settings } = current;
  const edited = connections.find((one) => one.originId === originId);
  const isGone = originId !== undefined && !edited;
  const isFull = originId === undefined && connections.length >= maxConnections;
  if (current.revision !== revision || isGone || isFull || connections.length === 0) {
    return { done: changedMeanwhileModal };
  }
  const typed = readConnectionForm(call, settings);
  const form = { ...typed, token: typed.token ?? (await receivedToken(call, context)) };
  const problem = problemWithName(
    form.name,
    connections.filter((one) => one !== edited),
  );
  const verified = await verifySetup(
    { teamId, form, edited: edited ? { originId: edited.originId } : 'new' },
    { ...context, checkSlack: async () => ({ name: problem }) },
  );
  if (verified.result === 'invalid') {
    const { errors, units } = verified;
    const isTokenLost = typed.token !== undefined;
    const known = units.length > 0 ? units : undefined;
    return {
      errors,
      retry: connectionModal({ regions, form: typed, units: known, metadata, isTokenLost }),
    };
  }
  const target = targetOf({ form, edited, verified });
  const change = buildChange({ form, verified, current, edited, target }, context);
  const reviewed = { change, current, connection: verified.connection, channelId };
  const { review, isStored } = await reviewChange(call, reviewed, context);
  if (isStored) await dropReceived(call, context);
  return review ?? save(call, { change, current, verified }, context);
}

function targetOf({
  form: { name },
  edited,
  verified: { connection },
}: {
  form: ConnectionForm;
  edited: ConnectionSummary | undefined;
  verified: VerifiedSetup;
}): ConnectionTarget {
  if (!edited) return { kind: 'add', originId: connection?.id ?? randomUUID(), name };
  const { originId, name: nameBefore } = edited;
  return { kind: 'edit', originId, name, ...(name !== nameBefore && { nameBefore }) };
}

/** Saves what needs no review: a new token for the same tenant, or nothing. */
async function save(
  call: Submission,
  {
    change: { target, tokenOwnerAfter: tokenOwner, isSameTenant: isTokenReplaced = false },
    current: { revision, settings },
    verified: { connection, owner, region },
  }: { change: SetupChange; current: CurrentSetup; verified: VerifiedSetup },
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, enterpriseId, person, viewId, log } = call;
  const { store, clock } = context;
  const saved = await store.saveSetup({
    teamId,
    enterpriseId,
    target,
    connection,
    settings,
    tokenOwner,
    savedBy: person.slackUserId,
    viewId,
    basedOn: revision,
    at: clock(),
  });
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile' || !target) return { done: changedMeanwhileModal };
  await dropReceived(call, context);
  log.info({ regionId: region.id, voided: saved.voided.length }, 'a connection was saved');
  const voidedCount = saved.voided.length;
  return {
    done: connectionSavedModal(target, { owner, tokenOwner, voidedCount, isTokenReplaced }),
  };
}
