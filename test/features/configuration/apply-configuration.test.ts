import fc from 'fast-check';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Database } from '../../../src/database/tables.ts';
import { writeConfiguration } from '../../../src/features/configuration/file/canonical.ts';
import type { Workspace } from '../../../src/features/configuration/file/configuration.ts';
import { exportConfiguration } from '../../../src/features/configuration/index.ts';
import { databases } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { apply, applyApproved, cipher, contextOn, dump } from './apply.ts';
import { anyWorkspace } from './configurations.ts';

const placeholder = 'T0TEAM';
/** Hundreds of pairs take minutes. */
const fullRunMs = 15 * 60_000;

let teams = 0;

const connections = `    connections:
      - {name: main, region: us, token: {env: TOKEN}}
`;

/** Every run has its own workspace. */
function newTeam() {
  teams += 1;
  const teamId = `T${teams}X`;
  const fileOf = (workspace: Workspace) =>
    writeConfiguration(new Map([[teamId, workspace]])).replaceAll(placeholder, teamId);
  /** A file with these sections, as YAML. */
  const fileWith = (...sections: string[]) =>
    `version: 1\nworkspaces:\n  ${teamId}:\n${sections.join('')}`;
  return { teamId, fileOf, fileWith };
}

describe.each(databases())('configuration files on $name', { timeout: fullRunMs }, ({ open }) => {
  let opened: OpenDatabase;
  let db: Database;
  beforeAll(async () => {
    opened = await open();
    db = opened.db;
  });
  afterAll(() => opened.close());
  const exported = (teamId: string) => exportConfiguration(teamId, { db, cipher });

  it('exports byte for byte what was applied to an empty workspace', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorkspace(placeholder), async (workspace) => {
        const { teamId, fileOf } = newTeam();
        const file = fileOf(workspace);
        expect(await apply(file, contextOn(db))).toEqual({ result: 'applied' });
        expect(await exported(teamId)).toBe(file);
        expect(await apply(file, contextOn(db))).toEqual({ result: 'unchanged' });
      }),
      propertyRuns(200, 6),
    );
  });

  it('reaches exactly the target from any configuration, or changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyWorkspace(placeholder),
        anyWorkspace(placeholder),
        fc.constantFrom('a', 'b'),
        async (from, to, tokens) => {
          const { teamId, fileOf } = newTeam();
          await apply(fileOf(from), contextOn(db));
          const before = await dump(db, teamId);
          const context = contextOn(db, tokens);
          const done = await apply(fileOf(to), context);
          if (done.result === 'approval-needed') {
            expect(await dump(db, teamId)).toEqual(before);
            expect(await applyApproved(fileOf(to), context)).toMatchObject({
              result: 'saved',
            });
          }
          expect(await exported(teamId)).toBe(fileOf(to));
        },
      ),
      propertyRuns(150, 8),
    );
  });

  it('saves one of two files that are applied at once, or one after the other', async () => {
    const any = anyWorkspace(placeholder);
    await fc.assert(
      fc.asyncProperty(any, any, any, async (from, one, other) => {
        const { teamId, fileOf } = newTeam();
        const files = [fileOf(one), fileOf(other)];
        fc.pre(!files.includes(fileOf(from)));
        await apply(fileOf(from), contextOn(db));
        const done = await Promise.all(files.map((file) => applyApproved(file, contextOn(db))));
        const saved = files.filter((_, at) => done[at]?.result === 'saved');
        expect(saved).toContain(await exported(teamId));
      }),
      propertyRuns(100, 3),
    );
  });

  it('takes a second person for a token of another tenant', async () => {
    const { fileOf } = newTeam();
    const [workspace] = fc.sample(
      anyWorkspace(placeholder).filter(({ connections }) => connections.length === 1),
      { numRuns: 1, seed: 1 },
    );
    if (!workspace) throw new Error('there is no sample');
    const file = fileOf(workspace);
    await apply(file, contextOn(db));
    const sameTenant = contextOn(db, 'another token of the same tenant');
    expect(await apply(file, sameTenant)).toEqual({ result: 'applied' });
    const otherTenant = contextOn(db, 'b');
    expect(await apply(file, otherTenant)).toMatchObject({ result: 'approval-needed' });
  });

  it('checks for duplicates only in the sections of the file', async () => {
    const { teamId, fileWith } = newTeam();
    const mutes = `    mutes:
      - {channel: C1OPS, connection: main, owner: U1ANA, filter: {severities: [notice]}, reason: Known}
`;
    expect(await apply(fileWith(connections, mutes), contextOn(db))).toEqual({ result: 'applied' });
    await sql`insert into mute select (jsonb_populate_record(mute,
      jsonb_build_object('id', gen_random_uuid()))).* from mute where team_id = ${teamId}`.execute(
      db,
    );
    const settings = '    settings: {usersPerHour: 5}\n';
    expect(await apply(fileWith(settings), contextOn(db))).toEqual({ result: 'applied' });
    await expect(apply(await exported(teamId), contextOn(db))).rejects.toThrow(
      'mutes.1: duplicates an earlier entry',
    );
    expect(await apply(fileWith(mutes), contextOn(db))).toEqual({ result: 'applied' });
    expect(await apply(await exported(teamId), contextOn(db))).toEqual({ result: 'unchanged' });
  });

  it('refuses an alert watch on a connection whose service cannot be read', async () => {
    const { fileWith } = newTeam();
    await apply(fileWith(connections), contextOn(db));
    const watches = `    alertWatches:
      - {channel: C1OPS, connection: main, owner: U1ANA}
`;
    const context = { ...contextOn(db), regions: [], readToken: () => undefined };
    expect(await apply(fileWith(watches), context)).toMatchObject({
      result: 'refused',
      why: expect.stringContaining(
        "connection main: its token can't be read, or its region isn't configured.",
      ),
    });
  });

  it('leaves nothing behind when the database refuses a statement', async () => {
    const { teamId, fileOf } = newTeam();
    const [workspace] = fc.sample(
      anyWorkspace(placeholder).filter(({ items }) =>
        items.some(({ section }) => section.name === 'digests'),
      ),
      { numRuns: 1, seed: 1 },
    );
    if (!workspace) throw new Error('there is no sample');
    const before = await dump(db, teamId);
    await sql`alter table digest add constraint injected
      check (team_id <> ${sql.lit(teamId)})`.execute(db);
    await expect(apply(fileOf(workspace), contextOn(db))).rejects.toThrow('injected');
    expect(await dump(db, teamId)).toEqual(before);
    await sql`alter table digest drop constraint injected`.execute(db);
    expect(await apply(fileOf(workspace), contextOn(db))).toEqual({ result: 'applied' });
  });

  it('leaves nothing behind when any statement fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyWorkspace(placeholder),
        anyWorkspace(placeholder),
        fc.nat({ max: 80 }),
        async (from, to, statement) => {
          const { teamId, fileOf } = newTeam();
          await apply(fileOf(from), contextOn(db));
          const before = await dump(db, teamId);
          const failing = db.withPlugin(failAt(statement));
          const done = await applyApproved(fileOf(to), contextOn(failing)).catch(String);
          if (typeof done === 'string') {
            expect(done).toContain('injected');
            expect(await dump(db, teamId)).toEqual(before);
          } else {
            expect(await exported(teamId)).toBe(fileOf(to));
          }
        },
      ),
      propertyRuns(150, 6),
    );
  });
});

/** Makes the statement with this number fail. */
function failAt(number: number): KyselyPlugin {
  let count = 0;
  return {
    transformQuery({ node }) {
      count += 1;
      if (count === number) throw new Error('injected');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
