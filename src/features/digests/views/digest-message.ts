import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import {
  actions,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { age, moment } from '../../../slack/ui/mrkdwn.ts';
import { alertLine, clearButton, detailsButton } from '../../alerts/index.ts';
import type { DigestSettings } from '../digest.ts';
import { type AlertGroup, type DigestContents, isEmpty, type Stopped } from '../digest-contents.ts';
import { complianceLines } from './format-compliance.ts';
import { counted, scheduleText } from './format-digest.ts';
import { headline } from './format-title.ts';
import { tokenLine } from './format-token-expiry.ts';

const shownNew = 5;
const shownOpen = 3;

export type DigestView = {
  settings: DigestSettings;
  contents: DigestContents;
  since: Date;
  now: Date;
  /** When it was due, if it comes later than it should. */
  lateFrom: Date | undefined;
  /** Where the answer to a button's form goes. */
  channelId: string;
};

/** What happened since the last digest, in the order in which one would ask. */
export function digestMessage(view: DigestView): Message {
  const { contents, settings, since, now, lateFrom, channelId } = view;
  const { fresh, open, cleared, canClear, compliance, waitingCount, tokenExpiresAt } = contents;
  const stopped = open?.stopped ?? fresh?.stopped ?? cleared?.stopped;
  const sinceText = moment(since);
  const actionsOf = (alert: Alert) => alertButtons(alert, { channelId, canClear });
  const head = isEmpty(contents) ? heartbeat(contents) : headline(contents);
  // Apart from compliance and before it: names of policies can fill a section, and a text, to its end.
  const short = [
    ...(stopped ? [stoppedLine(stopped)] : []),
    ...(waitingCount ? [waitingLine(waitingCount)] : []),
    ...(tokenExpiresAt ? [tokenLine(tokenExpiresAt, now)] : []),
  ];
  const long = compliance ? complianceLines(compliance) : [];
  const late = lateFrom ? [`Late: it was due ${moment(lateFrom)}`] : [];
  const usual = [scheduleText(settings), '`/belay digest` shows and changes it'];
  const blocks: KnownBlock[] = [
    section(`*Since ${sinceText}*\n${head}`),
    ...alertBlocks('New', fresh, { kind: 'new', atMost: shownNew, actionsOf }),
    ...alertBlocks(fresh ? 'Still open' : 'Open', open, {
      kind: 'open',
      atMost: shownOpen,
      actionsOf,
    }),
    ...[short, long].filter((lines) => lines.length > 0).map((lines) => section(lines.join('\n'))),
    context([...late, ...usual].join(' · ')),
  ];
  return message([`Since ${sinceText}: ${head}`, ...late, ...short, ...long].join('\n'), blocks);
}

/** Said in place of a digest that could not be put together. */
export function digestTroubleMessage(
  settings: DigestSettings,
  { since, trouble }: { since: Date; trouble: string },
): Message {
  const sinceText = moment(since);
  const title = `There is no digest this time. The next one tells all since ${sinceText}.`;
  const blocks = [section(`*${title}*\n${trouble}`), context(scheduleText(settings))];
  return message(`${title} ${trouble}`, blocks);
}

function heartbeat({ open, compliance }: DigestContents): string {
  const isAsItWas =
    compliance?.result === 'read' &&
    compliance.hasBefore &&
    compliance.unreadCount === 0 &&
    compliance.changes.length === 0;
  const looked = [open && 'no alert is open', isAsItWas && 'compliance is as it was'].filter(
    Boolean,
  );
  return [':heavy_check_mark: Nothing to report', ...looked].join(', ').concat('.');
}

function stoppedLine({ lookedAt, backTo, hasShrunk }: Stopped): string {
  if (hasShrunk) {
    return ':hourglass: The list of alerts became shorter while Belay read it, so some may be missing here.';
  }
  const reach = backTo ? `, back to ${age(backTo)}` : '';
  return `:hourglass: Belay stopped after the newest ${counted(lookedAt, 'alert')}${reach}. Older ones were not looked at.`;
}

function waitingLine(count: number): string {
  const wait = count === 1 ? 'One request waits' : `${count} requests wait`;
  return `*Approvals* · ${wait} for approval.`;
}

function alertBlocks(
  title: string,
  group: AlertGroup | undefined,
  {
    kind,
    atMost,
    actionsOf,
  }: { kind: 'new' | 'open'; atMost: number; actionsOf: (alert: Alert) => KnownBlock[] },
): KnownBlock[] {
  if (!group || group.alerts.length === 0) return [];
  const shown = group.alerts.slice(0, atMost);
  const more = group.alerts.length - shown.length;
  const rest =
    more > 0 ? [context(`${counted(more, `more ${kind} alert`)}: \`/belay alerts\``)] : [];
  return [
    ...shown.flatMap((alert, index) => {
      const heading = index === 0 ? `*${title}*\n` : '';
      return [section(`${heading}${alertLine(alert)}`), ...actionsOf(alert)];
    }),
    ...rest,
  ];
}

/** An id that no button can carry leaves the alert without them, not the digest without the alert. */
function alertButtons(
  alert: Alert,
  { channelId, canClear }: { channelId: string; canClear: boolean },
): KnownBlock[] {
  const offered = [
    detailsButton(alert, channelId),
    canClear ? clearButton(alert, channelId) : undefined,
  ];
  const buttons = offered.filter((one) => one !== undefined);
  return buttons.length > 0 ? [actions(buttons)] : [];
}
