import { randomUUID } from 'node:crypto';
import type { SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import type { FormErrors } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import type {
  ConnectionSummary,
  ConnectionTarget,
  CurrentSetup,
} from '../../../workspace/workspace.ts';
import { buildChange } from '../build-change.ts';
import { reviewChange } from '../review-change.ts';
import { saveNow } from '../save-setup.ts';
import type { SetupContext } from '../setup-context.ts';
import { savedOverview } from '../show-setup.ts';
import { submissionId } from '../submit-settings.ts';
import { dropReceived, receivedToken } from '../token-page/received-token.ts';
import { type VerifiedSetup, verifySetup } from '../verify-setup.ts';
import {
  type ConnectionForm,
  type connectionForm,
  connectionModal,
  maxConnections,
  type ownerForm,
  ownerModal,
  problemWithName,
  readConnectionForm,
} from '../views/connection-form.ts';
import {
  changedMeanwhileModal,
  connectionSavedModal,
  savedBeforeModal,
} from '../views/saved-modal.ts';

type Submission = SubmissionOf<typeof connectionForm> | SubmissionOf<typeof ownerForm>;

/** What was submitted, with the connection that it changes: undefined for a new one. */
type Submitted = {
  form: ConnectionForm;
  current: CurrentSetup;
  edited: ConnectionSummary | undefined;
};

type Invalid = Extract<Awaited<ReturnType<typeof verifySetup>>, { result: 'invalid' }>;
/** The form again. */
type Refuse = (invalid: Invalid) => { errors: FormErrors; retry: ModalView };

/** Tests the connection of the form, then saves or reviews it like any change of the setup. */
export async function submitConnection(
  call: SubmissionOf<typeof connectionForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { metadata } = call;
  const { regions } = context;
  const current = await readCurrent(call, context);
  if ('done' in current) return current;
  const typed = readConnectionForm(call);
  const form = { ...typed, token: typed.token ?? (await receivedToken(call, context)) };
  return submit(call, { ...current, form }, context, ({ errors, units }) => {
    const isTokenLost = typed.token !== undefined;
    const again = { regions, metadata, isTokenLost };
    const retry =
      units.length > 0
        ? connectionModal({ ...again, form: { ...typed, organizationalUnitId: undefined }, units })
        : connectionModal({ ...again, form: typed, units: undefined });
    return { errors, retry };
  });
}

/** The same for the form of the token owner. */
export async function submitOwner(
  call: SubmissionOf<typeof ownerForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { metadata, entered } = call;
  const current = await readCurrent(call, context);
  if ('done' in current) return current;
  if (!current.edited) return { done: changedMeanwhileModal };
  const { name, regionId, organizationalUnitId } = current.edited;
  const tokenOwner = entered.tokenOwner || undefined;
  const kept = { name, regionId, organizationalUnitId, token: undefined, unitName: undefined };
  return submit(call, { ...current, form: { ...kept, tokenOwner } }, context, ({ errors }) => ({
    // What is wrong with another field has to be shown at the only one.
    errors: { tokenOwner: Object.values(errors).find((error) => error !== undefined) },
    retry: ownerModal(tokenOwner, metadata),
  }));
}

/** Or the answer to a stale form. Read before the test, so that a save during the test counts. */
async function readCurrent(
  call: Submission,
  { store }: SetupContext,
): Promise<Omit<Submitted, 'form'> | { done: ModalView }> {
  const { originId, revision } = call.metadata;
  const current = await store.readSetup(call.teamId);
  if (current.savedFromViewId === submissionId(call)) return { done: savedBeforeModal };
  const { connections } = current;
  const edited = connections.find((one) => one.originId === originId);
  const isGone = originId !== undefined && !edited;
  const isFull = originId === undefined && connections.length >= maxConnections;
  const isStale = current.revision !== revision || isGone || isFull || connections.length === 0;
  return isStale ? { done: changedMeanwhileModal } : { current, edited };
}

async function submit(
  call: Submission,
  { form, current, edited }: Submitted,
  context: SetupContext,
  refuse: Refuse,
): Promise<VerificationResult> {
  const { teamId, metadata } = call;
  const { connections } = current;
  const others = connections.filter((one) => one !== edited);
  const verified = await verifySetup(
    {
      teamId,
      form,
      edited: edited ? { originId: edited.originId } : 'new',
      otherErrors: { name: problemWithName(form.name, others) },
    },
    context,
  );
  if (verified.result === 'invalid') return refuse(verified);
  const target = targetOf({ form, edited, verified, isOnly: others.length === 0 });
  const change = buildChange({ form, verified, current, edited, target }, context);
  const { channelId } = metadata;
  const reviewed = { change, current, connection: verified.connection, channelId };
  const { review, isStored } = await reviewChange(call, reviewed, context);
  if (isStored) await dropReceived(call, context);
  return review ?? save(call, { change, current, verified }, context);
}

/** Undefined for a change of the only connection that leaves its name. */
function targetOf({
  form: { name },
  edited,
  verified: { connection },
  isOnly,
}: {
  form: ConnectionForm;
  edited: ConnectionSummary | undefined;
  verified: VerifiedSetup;
  isOnly: boolean;
}): ConnectionTarget | undefined {
  if (!edited) return { kind: 'add', originId: connection?.id ?? randomUUID(), name };
  const { originId, name: nameBefore } = edited;
  if (isOnly && name === nameBefore) return undefined;
  return { kind: 'edit', originId, name, ...(name !== nameBefore && { nameBefore }) };
}

/** Saves what needs no review. */
async function save(
  call: Submission,
  {
    change: { target, tokenOwnerAfter: tokenOwner, isSameTenant: isTokenReplaced = false },
    current: { revision, settings },
    verified: { connection, owner, units },
  }: { change: SetupChange; current: CurrentSetup; verified: VerifiedSetup },
  context: SetupContext,
): Promise<VerificationResult> {
  const saved = await saveNow(
    call,
    {
      target,
      connection,
      settings,
      tokenOwner,
      viewId: submissionId(call),
      basedOn: revision,
    },
    context,
  );
  if ('done' in saved) return saved;
  await dropReceived(call, context);
  const shown = { ...saved, owner, isTokenReplaced };
  return {
    done: target
      ? connectionSavedModal(target, { ...shown, tokenOwner })
      : await savedOverview(call, { ...shown, units }, context),
  };
}
