import type { Volume } from '../../../dataprotection/resources/volumes.ts';
import {
  actions,
  button,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { bold, safeName } from '../../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { showExactly } from '../../../slack/ui/visible.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { FoundVolumes } from '../find-volumes.ts';
import { formatVolume, formatVolumeFacts } from './format-restore.ts';
import { type VolumeQuery, viewButton, volumePager } from './ids.ts';

const perPage = 10;

/** A page of the volumes that were found, each with a way to its backups. */
export function volumeListMessage(
  query: VolumeQuery,
  { volumes, isComplete }: FoundVolumes,
): Message {
  const { text, policy, day } = query;
  const total = volumes.length;
  if (total === 0) {
    if (policy) {
      return notice(
        `The service shows no EBS volumes of the policy ${safeName(policy.name, 120)}.`,
      );
    }
    return notice(
      text === ''
        ? 'The service shows no EBS volumes.'
        : `No EBS volume matches “${safeName(text, 100)}”. Try part of the name, the volume ID (\`vol-…\`), or a tag such as \`team=billing\`.`,
    );
  }
  const start = query.start < total ? query.start : 0;
  const shown = volumes.slice(start, start + perPage);
  const range =
    total > perPage ? `${start + 1}-${start + shown.length} of ${total}` : String(total);
  const about = policy
    ? ` of the policy ${bold(policy.name, 120)}`
    : text && ` matching “${safeName(text, 100)}”`;
  return message([
    section(`*EBS volumes*${about} · ${range}`),
    ...shown.map((volume) => volumeSection(volume, day)),
    actions(volumePager.buttons(pagesAround({ ...query, start }, { total, perPage }))),
    ...(isComplete
      ? []
      : [context(`Partial results: the first ${plural(total, 'volume')}. Type more of the name.`)]),
  ]);
}

function volumeSection(volume: Volume, day: string | undefined) {
  const text = `${formatVolume(volume)}\n${formatVolumeFacts(volume)}`;
  if (volume.id.length > maxIdLength) return section(text);
  const view = viewButton(volume.id, day);
  const accessibilityLabel = `${view.text}: ${showExactly(volume.name ?? volume.id)}`;
  return section(text, button({ ...view, accessibilityLabel }));
}

export const noRestoresMessage = notice(
  "This service doesn't offer restores through its API. Use the service's portal.",
);

export function volumeGoneMessage(volume: string): Message {
  return notice(
    `The volume ${safeName(volume, 100)} isn't in this service, or belongs to another organizational unit. To find volumes, run \`/belay restore\`.`,
  );
}
