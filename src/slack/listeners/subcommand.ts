import type { Message } from '../ui/blocks.ts';
import type { CommandCall } from './call.ts';

/** One `/belay <name>`: what help says about it and what it does. */
export type Subcommand = {
  name: string;
  /** As typed after `/belay`: `disable <user>`. */
  usage: string;
  /** One line, for people. */
  summary: string;
  adminsOnly?: boolean;
  /** `call.text` is what follows the name; what is returned is shown to the caller alone. */
  run: (call: CommandCall) => Promise<Message | undefined>;
};
