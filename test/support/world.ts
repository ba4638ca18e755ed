import { onTestFinished } from 'vitest';
import { type Actor, actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../../playground/start-playground.ts';
import { createLogger } from '../../src/logger.ts';

export type World = Playground & {
  ana: Actor;
  ben: Actor;
  cleo: Actor;
  gus: Actor;
  sam: Actor;
  /** Everything the bot has logged, at every level. */
  logged: string[];
};

/** The playground without its page, ended with the test that asked for it. */
export async function startWorld(options: Partial<PlaygroundOptions> = {}): Promise<World> {
  const logged: string[] = [];
  const log = createLogger('trace', { write: (line) => void logged.push(line) });
  const playground = await startPlayground({ log, ...options });
  onTestFinished(() => playground.stop());
  const { slack } = playground;
  return {
    ...playground,
    logged,
    ana: actAs(slack, people.ana),
    ben: actAs(slack, people.ben),
    cleo: actAs(slack, people.cleo),
    gus: actAs(slack, people.gus),
    sam: actAs(slack, people.sam),
  };
}
