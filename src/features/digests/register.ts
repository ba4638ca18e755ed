import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { openModal, showInModal } from '../../slack/ui/modal.ts';
import { findAmong } from '../workspaces/index.ts';
import {
  type ChangeDependencies,
  endDigest,
  findChangeableDigest,
  saveDigest,
} from './change-digests.ts';
import { chosenSettings, digestButtonValue, fieldsOf, formMetadata } from './digest-form.ts';
import { type PreviewDependencies, previewDigest } from './preview-digest.ts';
import { showDigests } from './show-digests.ts';
import { defaultFields, digestFormModal } from './views/digest-form-modal.ts';
import {
  backActionId,
  editActionId,
  endActionId,
  formCallbackId,
  newActionId,
  saveCallbackId,
} from './views/ids.ts';
import { checkingModal } from './views/preview-modal.ts';

export type DigestsDependencies = PreviewDependencies & ChangeDependencies;

/** Every full member sees a channel's digests and can add one; `readMayChange` says who changes them. */
export function registerDigests(
  listeners: Listeners,
  dependencies: DigestsDependencies,
): Subcommand[] {
  const { knownValues, listConnections } = dependencies;

  listeners.action(newActionId, formMetadata, async (call) => {
    await openEmptyForm(call, call.value.channelId, dependencies);
    return undefined;
  });

  listeners.action(editActionId, digestButtonValue, async (call) => {
    const { teamId, person, value } = call;
    const ref = { teamId, channelId: value.channelId, id: value.digestId };
    const found = await findChangeableDigest(ref, person, dependencies);
    if ('refusal' in found) return { reply: found.refusal };
    const { settings, version } = found.digest;
    const known = knownValues.read(teamId);
    const connection = findAmong(await listConnections(teamId))(found.digest.originId);
    await openModal(
      { ...call, connection },
      digestFormModal(fieldsOf(settings), { ...value, version }, { known }),
    );
    return undefined;
  });

  listeners.action(endActionId, digestButtonValue, async (call) => ({
    reply: await endDigest(call, dependencies),
  }));

  listeners.verifiedSubmission(formCallbackId, {
    metadata: formMetadata,
    pending: checkingModal,
    verify: (call) => previewDigest(call, dependencies),
  });

  listeners.action(backActionId, chosenSettings, async (call) => {
    const { settings, ...metadata } = call.value;
    const known = knownValues.read(call.teamId);
    const form = digestFormModal(fieldsOf(settings), metadata, { known });
    // A preview arrives as a message if its modal was closed while the digest was collected.
    if (call.viewId) await showInModal(call, call.viewId, form);
    else await openModal(call, form);
    return undefined;
  });

  listeners.submission(saveCallbackId, {
    metadata: chosenSettings,
    run: (call) => saveDigest(call, dependencies),
  });

  return [
    {
      name: 'digest',
      about: 'items',
      usage: 'digest [new]',
      summary: 'Show or add digests: scheduled summaries of alerts and compliance',
      async run(call) {
        const argument = call.text.trim().toLowerCase();
        if (argument === 'new') return openEmptyForm(call, call.channelId, dependencies);
        return argument === '' ? showDigests(call, dependencies) : usageMessage;
      },
    },
  ];
}

const usageMessage = notice(
  'Run `/belay digest` to see the digests here, or `/belay digest new` to add one.',
);

async function openEmptyForm(
  to: Pick<CommandInteraction, 'teamId' | 'slack' | 'triggerId' | 'person' | 'connection'>,
  channelId: string,
  { knownValues }: Pick<DigestsDependencies, 'knownValues'>,
): Promise<undefined> {
  const known = knownValues.read(to.teamId);
  // The list is about every digest of the channel, the form about one.
  const connection = to.connection && { ...to.connection, isNamed: true };
  await openModal(
    { ...to, connection },
    digestFormModal(defaultFields(to.person.timeZone), { channelId }, { known }),
  );
}
