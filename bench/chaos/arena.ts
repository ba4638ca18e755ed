import type { Random } from '../../playground/service/data/random.ts';
import type { Database } from '../../src/database/open-database.ts';
import type { Stage } from '../replicas/stage.ts';
import type { Posts } from '../replicas/watch-posts.ts';
import type { Fleet } from './fleet.ts';

/** Everything that an errand, the killer and the last look have to do with. */
export type Arena = { stage: Stage; db: Database; posts: Posts; fleet: Fleet; random: Random };
