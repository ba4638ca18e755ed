import { randomUUID } from 'node:crypto';
import type { Interaction, SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import type { FormErrors } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import {
  type ConnectionSummary,
  type ConnectionTarget,
  type CurrentSetup,
  serviceConnection,
} from '../../../workspace/workspace.ts';
import { buildChange } from '../build-change.ts';
import { compareSetup } from '../compare-setup.ts';
import type { SetupContext } from '../setup-context.ts';
import { newConnection } from '../setup-form.ts';
import { savedOverview } from '../show-setup.ts';
import { readCurrent, type SetupSubmission, submitChange } from '../submit-change.ts';
import { findPageForm, receivedToken } from '../token-page/received-token.ts';
import { verifySetup } from '../verify-setup.ts';
import {
  type ConnectionForm,
  type connectionForm,
  connectionModal,
  maxConnections,
  noticeOfConnection,
  type ownerForm,
  ownerModal,
  problemWithName,
  readConnectionForm,
} from '../views/connection-form.ts';
import { changedMeanwhileModal } from '../views/saved-modal.ts';

export const connectionGone = notice(
  'This connection no longer exists. Nothing was changed. To see the connections, run `/belay connection`.',
);

const tooMany = noticeOfConnection(
  `This workspace has ${maxConnections} connections, which is the maximum. Remove one first.`,
);

/** The form with the current values of a connection or, without `originId`, for a new one. */
export async function filledConnectionModal(
  call: Pick<Interaction, 'teamId' | 'person'>,
  { originId, channelId }: { originId?: string; channelId: string | undefined },
  context: SetupContext,
): Promise<ModalView> {
  const { teamId } = call;
  const { store, regions, listUnits } = context;
  const { revision, connections } = await store.readSetup(teamId);
  if (originId === undefined) {
    if (connections.length >= maxConnections) return tooMany;
    const { page, receivedAt } = await findPageForm(call, newConnection, context);
    const metadata = { channelId, revision, hasStoredToken: false, page };
    return connectionModal({ regions, form: undefined, units: undefined, metadata, receivedAt });
  }
  const summary = connections.find((one) => one.originId === originId);
  if (!summary) return noticeOfConnection(connectionGone.text);
  const opened = await store.openConnection(teamId, { originId });
  const connection = opened === 'unreadable' ? undefined : opened;
  const region = regions.find(({ id }) => id === connection?.regionId);
  const { page, receivedAt } = await findPageForm(call, originId, context);
  const canList = connection && region;
  return connectionModal({
    regions,
    form: summary,
    units: canList ? await listUnits(serviceConnection(region, connection)) : undefined,
    metadata: {
      channelId,
      originId,
      revision,
      hasStoredToken: connection !== undefined,
      hasReceivedToken: receivedAt !== undefined,
      page,
    },
    receivedAt,
  });
}

/** The form of a connection's token owner alone. */
export async function filledOwnerModal(
  { teamId }: Pick<Interaction, 'teamId'>,
  { originId, channelId }: { originId: string; channelId: string | undefined },
  { store }: SetupContext,
): Promise<ModalView> {
  const { revision, connections } = await store.readSetup(teamId);
  const connection = connections.find((one) => one.originId === originId);
  if (!connection) return noticeOfConnection(connectionGone.text);
  const metadata = { channelId, originId, revision, hasStoredToken: true };
  return ownerModal(connection.tokenOwner, metadata);
}

/** Tests the connection of the form, then saves or reviews it like any change of the setup. */
export async function submitConnection(
  call: SubmissionOf<typeof connectionForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { metadata } = call;
  const { regions } = context;
  // Read before the test, so that a save during the test counts.
  const shown = await readCurrent(call, context);
  if ('done' in shown) return shown;
  const { connections } = shown.current;
  const edited = connections.find(({ originId }) => originId === metadata.originId);
  const isGone = metadata.originId !== undefined && !edited;
  const isFull = !edited && connections.length >= maxConnections;
  if (isGone || isFull) return { done: changedMeanwhileModal };
  const typed = readConnectionForm(call);
  const form = { ...typed, token: typed.token ?? (await receivedToken(call, context)) };
  if (metadata.hasReceivedToken && !form.token) {
    const token = 'The token from the web page is no longer available. Enter it again.';
    const retry = connectionModal({ regions, metadata, form: typed, units: undefined });
    return { errors: { token }, retry };
  }
  return submit(call, { current: shown.current, edited, form }, context, ({ errors, units }) => {
    const isUnitRefused = units.length > 0;
    const retry = connectionModal({
      regions,
      metadata,
      form: isUnitRefused ? { ...typed, organizationalUnitId: undefined } : typed,
      units: isUnitRefused ? units : undefined,
    });
    return { errors, retry };
  });
}

/** The same for the form of the token owner. */
export async function submitOwner(
  call: SubmissionOf<typeof ownerForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { metadata, entered } = call;
  const shown = await readCurrent(call, context);
  if ('done' in shown) return shown;
  const { current } = shown;
  const edited = current.connections.find(({ originId }) => originId === metadata.originId);
  if (!edited) return { done: changedMeanwhileModal };
  const { name, regionId, organizationalUnitId } = edited;
  const tokenOwner = entered.tokenOwner || undefined;
  const kept = { name, regionId, organizationalUnitId, token: undefined, unitName: undefined };
  return submit(
    call,
    { current, edited, form: { ...kept, tokenOwner } },
    context,
    ({ errors }) => ({
      // What is wrong with another field has to be shown at the only one.
      errors: { tokenOwner: Object.values(errors).find((error) => error !== undefined) },
      retry: ownerModal(tokenOwner, metadata),
    }),
  );
}

type Invalid = Extract<Awaited<ReturnType<typeof verifySetup>>, { result: 'invalid' }>;

/** `edited` is undefined for a new connection. `refuse` makes the form again. */
async function submit(
  call: SetupSubmission,
  {
    form,
    current,
    edited,
  }: { form: ConnectionForm; current: CurrentSetup; edited: ConnectionSummary | undefined },
  context: SetupContext,
  refuse: (invalid: Invalid) => { errors: FormErrors; retry: ModalView },
): Promise<VerificationResult> {
  const others = current.connections.filter((one) => one !== edited);
  const verified = await verifySetup(
    {
      teamId: call.teamId,
      form,
      edited: edited ? { originId: edited.originId } : 'new',
      otherErrors: { name: problemWithName(form.name, others) },
    },
    context,
  );
  if (verified.result === 'invalid') return refuse(verified);
  const target = edited
    ? editTarget(edited, form.name, { isOnly: others.length === 0 })
    : { kind: 'add' as const, originId: verified.connection?.id ?? randomUUID(), name: form.name };
  const change = buildChange({ form, verified, current, edited, target }, context);
  if (!verified.connection && compareSetup(change).length === 0) {
    const unchanged = noticeOfConnection('Nothing was changed.');
    return { done: target ? unchanged : await savedOverview(call, 'nothing', context) };
  }
  return submitChange(call, { change, current, verified }, context);
}

/** Undefined for a change of the only connection that leaves its name. */
function editTarget(
  { originId, name: nameBefore }: ConnectionSummary,
  name: string,
  { isOnly }: { isOnly: boolean },
): ConnectionTarget | undefined {
  if (isOnly && name === nameBefore) return undefined;
  return { kind: 'edit', originId, name, ...(name !== nameBefore && { nameBefore }) };
}
