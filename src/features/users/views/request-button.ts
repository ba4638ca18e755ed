import { encodeValue } from '../../../slack/ui/codec.ts';
import type { AskButton } from '../../approvals/index.ts';
import { askActionIds, type Verb } from './ids.ts';

/** The button of a request that opens the form for another one about the same user. */
export function askButton(verb: Verb, text: string, { id }: { id: string }): AskButton {
  return { text, actionId: askActionIds[verb], value: encodeValue({ userId: id }) };
}
