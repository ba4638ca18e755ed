import { subMinutes } from '../../../dates.ts';
import {
  actionsIfAny,
  type Button,
  button,
  confirmation,
  header,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { StandIn } from '../../../workspace/access/store/stand-in-store.ts';

export const openStandInActionId = 'stand-ins.open';
export const endStandInActionId = 'stand-ins.end';

/** A person's own stand-in, and the approvers that the person stands in for. `mayName`: they are an approver. */
export function standInMessage({
  own,
  others,
  mayName,
}: {
  own: StandIn | undefined;
  others: StandIn[];
  mayName: boolean;
}): Message {
  const mine = own
    ? `${mention(own.standIn)} stands in for you until ${lastMoment(own)}.`
    : mayName
      ? 'You have no stand-in. While you are away, a stand-in can decide requests in your place.'
      : "Only approvers can name a stand-in, and you aren't an approver.";
  const lines = [mine, ...others.map((one) => `You stand in for ${formatFor(one)}.`)];
  const open = button({
    text: own ? 'Change…' : 'Choose stand-in…',
    actionId: openStandInActionId,
    value: encodeValue({}),
    accessibilityLabel: own ? 'Change your stand-in' : 'Choose stand-in',
  });
  return message([
    header('Stand-ins'),
    ...lines.map((line) => section(line)),
    ...actionsIfAny([mayName && open, own && endButton(own)]),
  ]);
}

/** Everybody's stand-ins, for admins, who can end them. Empty if there are none. */
export function standInBlocks(all: readonly StandIn[]): KnownBlock[] {
  if (all.length === 0) return [];
  return [
    section('*Stand-ins*'),
    ...all.slice(0, maxListed).map((one) => section(formatStandIn(one), endButton(one))),
    ...(all.length > maxListed ? [section(`${all.length - maxListed} more`)] : []),
  ];
}

const maxListed = 15;

/** "@Ben stands in for @Cleo until Friday at 11:59 PM." */
export function formatStandIn(one: StandIn): string {
  return `${mention(one.standIn)} stands in for ${formatFor(one)}.`;
}

function formatFor(one: StandIn): string {
  return `${mention(one.approver)} until ${lastMoment(one)}`;
}

/** The end of the last day, not the beginning of the next. */
function lastMoment({ endsAt }: Pick<StandIn, 'endsAt'>): string {
  return moment(subMinutes(endsAt, 1));
}

function endButton({ approver }: StandIn): Button {
  return button({
    text: 'End stand-in',
    actionId: endStandInActionId,
    value: encodeValue({ approver }),
    accessibilityLabel: 'End stand-in now',
    confirm: confirmation({
      title: 'End stand-in?',
      question: "The stand-in can no longer decide requests in the approver's place.",
      verb: 'End stand-in',
    }),
  });
}

/** Announces a new stand-in where approvers see it. */
export function standInNamedMessage(one: StandIn): Message {
  return notice(
    `:busts_in_silhouette: *Stand-in named*\n${mention(one.approver)} named a stand-in. ${formatStandIn(one)} Together they count as one approver.`,
  );
}

/** To the stand-in. */
export function youStandInMessage(one: StandIn): Message {
  return notice(
    `:busts_in_silhouette: *You stand in for* ${formatFor(one)}.\nYou can approve and deny requests that ${mention(one.approver)} could decide. Run \`/belay requests\` to see open requests.`,
  );
}

/** For the approver, the stand-in and other approvers. `by`: who ended it. */
export function standInEndedMessage({ approver, standIn }: StandIn, by: string): Message {
  const who = `${mention(standIn)} no longer stands in for ${mention(approver)}.`;
  return notice(
    `:busts_in_silhouette: *Stand-in ended*\n${who} ${mention(by)} ended the stand-in early.`,
  );
}

/** The answer to the person who named or ended one. */
export function standInNamedAnswer({
  isApprover,
  ...one
}: StandIn & { isApprover: boolean }): string {
  const note = isApprover
    ? ` They are already an approver, so this adds somebody only where a rule names you.`
    : '';
  return `${mention(one.standIn)} now stands in for you until ${lastMoment(one)}.${note} Run \`/belay away off\` to end this earlier.`;
}
