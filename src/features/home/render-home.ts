import type { Logger } from '../../logger.ts';
import type { HomeReader, RenderedHome } from '../../postings/home/create-homes.ts';
import type { AuthorizePerson } from '../../slack/interactions/authorize-caller.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { GroupUnreadError } from '../../workspace/permissions.ts';
import { homeOutsiderBlocks, homeUnavailableBlocks } from './views/home-blocks.ts';

/** After this a part is shown as unavailable. */
const maxPartMs = 4000;

/** A part of the Home tab: only what the person may also see or do with commands. */
export type HomePart = {
  title: string;
  read: (reader: HomeReader) => Promise<KnownBlock[]>;
};

/** A part that fails or takes too long is shown as unavailable; the others are not affected. */
export async function renderHome(
  reader: HomeReader,
  {
    parts,
    authorize,
    log,
  }: { parts: readonly HomePart[]; authorize: AuthorizePerson; log: Logger },
): Promise<RenderedHome> {
  if (reader.person.membership !== 'member')
    return { blocks: homeOutsiderBlocks(), isComplete: true };
  const authorized = await authorize(reader.person, reader.slack).catch((error: unknown) => {
    if (error instanceof GroupUnreadError) return undefined;
    throw error;
  });
  if (!authorized) return { blocks: homeUnavailableBlocks('Belay'), isComplete: false };
  if ('refusal' in authorized) return { blocks: [section(authorized.refusal)], isComplete: true };
  const { person } = authorized;
  const read = await Promise.all(
    parts.map(async ({ title, read: readPart }) => {
      try {
        return await withTimeout(readPart({ ...reader, person }));
      } catch (error) {
        log.warn(
          { teamId: reader.teamId, part: title, err: error },
          'a part of Home is unavailable',
        );
        return title;
      }
    }),
  );
  return {
    blocks: read.flatMap((one) => (typeof one === 'string' ? homeUnavailableBlocks(one) : one)),
    // Parts that depend on an unreadable group are left out for now.
    isComplete:
      read.every((one) => typeof one !== 'string') && !person.standing?.unreadGroups.length,
  };
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), maxPartMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
