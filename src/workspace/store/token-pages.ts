import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { addMinutes } from '../../dates.ts';
import type { TokenCipher } from './token-cipher.ts';

/** What a page says it is for. */
const pageFacts = z.object({
  workspace: z.string(),
  admin: z.string(),
  /** Undefined in a workspace with at most one connection. */
  connection: z.string().optional(),
  /** `tokenFor` of the form, which isn't shown on the page. */
  tokenFor: z.string().optional(),
});
export type PageFacts = z.infer<typeof pageFacts>;

type NewTokenPage = {
  teamId: string;
  /** The form that the token is for. */
  formId: string;
  /** Slack user id of the admin, the only one who gets the address. */
  createdBy: string;
  shown: PageFacts;
  at: Date;
};
/** What a link contains, encrypted: only the workspace's row that has the secret's hash fits it. */
const tokenLink = z.object({ teamId: z.string(), secret: z.string() });
export type TokenLink = z.infer<typeof tokenLink>;

type FormOwner = Pick<NewTokenPage, 'teamId' | 'createdBy'>;

/** A token that was entered for a form, and is part of no connection yet. */
type ReceivedToken = { formId: string; receivedAt: Date };

/** How long the page can be used, and then how long its token waits for the form. */
const pageMinutes = 10;
const tokenMinutes = 60;

export type TokenPageStore = ReturnType<typeof createTokenPageStore>;

/** Pages on which an admin enters a token once, so that it doesn't pass through Slack. */
export function createTokenPageStore(
  db: Database,
  { cipher, isServed }: { cipher: TokenCipher; isServed: ServedTeams },
) {
  return {
    /**
     * Resolves to the link of the page's address. An earlier page of the admin is void, and so is a token
     * that was received for the same connection; tokens for other connections still wait for their forms.
     */
    create: ({ teamId, formId, createdBy, shown, at }: NewTokenPage): Promise<string> =>
      db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('token_page')
          .where('team_id', '=', teamId)
          .where('created_by', '=', createdBy)
          .where(({ or, eb }) => or([eb('token_sealed', 'is', null), isFor(shown.tokenFor)]))
          .execute();
        const secret = randomBytes(32).toString('base64url');
        await trx
          .insertInto('token_page')
          .values({
            id: randomUUID(),
            team_id: teamId,
            form_id: formId,
            created_by: createdBy,
            secret_hash: hash(secret),
            shown: JSON.stringify(shown),
            expires_at: addMinutes(at, pageMinutes),
          })
          .execute();
        return cipher.seal(JSON.stringify({ teamId, secret }), { link: 'token-page' });
      }),

    /** Undefined for any link that Belay didn't make, without asking the database. */
    readLink(link: string): TokenLink | undefined {
      const opened = cipher.open(link, { link: 'token-page' });
      return opened === undefined ? undefined : tokenLink.parse(JSON.parse(opened));
    },

    /** What the page with this link is for; undefined if it doesn't exist, was used or expired. */
    async find(link: TokenLink, now: Date): Promise<PageFacts | undefined> {
      const row = await usable(db, link, now).executeTakeFirst();
      return row && pageFacts.parse(row.shown);
    },

    /** Stores the token, encrypted, unless the page was used or has expired. Returns whether it did. */
    receive: (
      { link, token, at }: { link: TokenLink; token: string; at: Date },
      enqueue: (
        trx: Transaction<Tables>,
        page: FormOwner & { pageId: string; shown: PageFacts },
      ) => Promise<unknown>,
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { teamId } = link;
        const row = await usable(trx, link, at).forUpdate().executeTakeFirst();
        if (!row) return false;
        const { id: tokenPageId, created_by: createdBy } = row;
        await trx
          .updateTable('token_page')
          .set({
            token_sealed: cipher.seal(token, { teamId, tokenPageId }),
            used_at: at,
            expires_at: addMinutes(at, tokenMinutes),
          })
          .where('id', '=', tokenPageId)
          .where('team_id', '=', teamId)
          .execute();
        const shown = pageFacts.parse(row.shown);
        await enqueue(trx, { teamId, createdBy, pageId: tokenPageId, shown });
        return true;
      }),

    /** The token that the admin entered for this connection and no form has saved yet. */
    async findReceived(
      { teamId, createdBy, tokenFor }: FormOwner & { tokenFor: string },
      now: Date,
    ): Promise<ReceivedToken | undefined> {
      const row = await waiting(db, teamId, createdBy, now)
        .where(isFor(tokenFor))
        .executeTakeFirst();
      return row?.used_at ? { formId: row.form_id, receivedAt: row.used_at } : undefined;
    },

    /** The token that the admin entered for this form. Undefined also if no configured key opens it. */
    async openReceived(
      { teamId, createdBy, formId }: FormOwner & { formId: string },
      now: Date,
    ): Promise<string | undefined> {
      const row = await waiting(db, teamId, createdBy, now)
        .where('form_id', '=', formId)
        .executeTakeFirst();
      if (!row?.token_sealed) return undefined;
      return cipher.open(row.token_sealed, { teamId, tokenPageId: row.id });
    },

    /** Once the form was saved, or has become a change that waits. */
    async drop({ teamId, formId }: { teamId: string; formId: string }): Promise<void> {
      await db
        .deleteFrom('token_page')
        .where('team_id', '=', teamId)
        .where('form_id', '=', formId)
        .execute();
    },

    async prune(now: Date): Promise<void> {
      await db
        .deleteFrom('token_page')
        .where('expires_at', '<=', now)
        .where(isServed('token_page.team_id'))
        .execute();
    },
  };
}

function isFor(tokenFor: string | undefined) {
  return sql<boolean>`shown->>'tokenFor' is not distinct from ${tokenFor ?? null}::text`;
}

function usable(db: Database | Transaction<Tables>, { teamId, secret }: TokenLink, now: Date) {
  return db
    .selectFrom('token_page')
    .select(['id', 'created_by', 'shown'])
    .where('team_id', '=', teamId)
    .where('secret_hash', '=', hash(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
}

function waiting(db: Database, teamId: string, createdBy: string, now: Date) {
  return db
    .selectFrom('token_page')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('created_by', '=', createdBy)
    .where('token_sealed', 'is not', null)
    .where('expires_at', '>', now);
}

/** The secret has 256 random bits, so a plain hash is enough. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
