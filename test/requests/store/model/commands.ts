import fc from 'fast-check';
import { type Command, command } from './command.ts';
import { grace, hour, lifetime, minute, pause } from './model.ts';
import { changeAddresses, click, refusedClicks } from './people.ts';
import {
  approve,
  approveAgain,
  changeConnection,
  create,
  decide,
  discard,
  expire,
  place,
  voidUnposted,
} from './requesting.ts';
import {
  begin,
  cancel,
  finish,
  giveUp,
  markOutcomeUnknown,
  markSent,
  renew,
  rescheduleCheck,
  settle,
} from './running.ts';

const wait = fc.constantFrom(pause, minute, minute, grace, hour, lifetime).map((ms) =>
  command(
    `wait ${ms / 1000} s`,
    ({ rows }) => rows.size > 0,
    async (model) => {
      model.now += ms;
    },
  ),
);

const forward = [
  create,
  place,
  approve,
  approveAgain,
  click,
  changeAddresses,
  begin,
  markSent,
  finish,
  cancel,
  refusedClicks,
  markOutcomeUnknown,
  settle,
  rescheduleCheck,
  giveUp,
  wait,
];
const aside = [decide, discard, expire, renew, voidUnposted, changeConnection];

/**
 * All calls of the store; those that advance a request are more frequent. One in twenty calls is
 * made even if it changes nothing.
 */
export const commands = [...Array.from({ length: 6 }, () => forward).flat(), ...aside].map((one) =>
  fc
    .tuple(one, fc.nat({ max: 19 }))
    .map(([made, roll]) => (roll === 0 ? withoutCheck(made) : made)),
);

function withoutCheck(made: Command): Command {
  return { ...made, check: () => true };
}
