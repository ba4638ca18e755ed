import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runAdmin } from '../../../src/admin/run-admin.ts';
import { type Belay, startBelay } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createCipher, encryptionKeyId } from '../../../src/encryption/cipher.ts';
import { createLogger } from '../../../src/logger.ts';
import { ask, heardBack, newMessages, seeAgain } from '../../support/ask.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { patienceMs } from '../../support/patience.ts';
import { openSetup } from '../../support/set-up.ts';
import { startWorld } from '../../support/world.ts';

/** A world whose bot can be restarted with other keys, on the same database. */
async function startRestartable() {
  const opened = await openAnyDatabase();
  onTestFinished(opened.close);
  const openDatabase = async () => ({ ...opened, close: async () => undefined });
  const world = await startWorld({ openDatabase });
  const firstKey = world.env.BELAY_ENCRYPTION_KEYS ?? '';
  const withKeys = (keys: string[]) => ({ ...world.env, BELAY_ENCRYPTION_KEYS: keys.join(',') });
  const messages: string[] = [];
  const log = createLogger('info', { write: (line) => void messages.push(JSON.parse(line).msg) });
  let belay: Belay = world.belay;

  async function restart(...keys: string[]) {
    await belay.stop();
    messages.splice(0);
    belay = await startBelay(readConfig(withKeys(keys)), { log, openDatabase });
    world.slack.connectApp(`http://127.0.0.1:${belay.port}/slack/events`);
  }
  onTestFinished(async () => void (await belay.stop()));

  async function admin(keys: string[], ...args: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const env = withKeys(keys);
    const code = await runAdmin(args, { env, stdout, stderr, openDatabase });
    stdout.end();
    stderr.end();
    const [out, error] = await said;
    return { code, out, error };
  }

  const { ana, ben, cleo } = world;
  /** Uses the connection, and adds entries to the audit log. */
  async function disable(email: string) {
    const request = await ask(ana, `/belay disable ${email}`);
    await ben.press(request, 'Approve');
    await seeAgain(ana, request, 'is disabled.');
  }
  async function doctor() {
    const seeNew = newMessages(cleo);
    await cleo.send('ops', '/belay doctor all');
    const answer = await seeNew(({ text }) => /No problems found|\d+ (problem|warning)/.test(text));
    return answer.text;
  }
  return { ...world, db: opened.db, firstKey, restart, admin, disable, doctor, messages };
}

const newKey = () => randomBytes(32).toString('base64');
const idOf = (key: string) => encryptionKeyId(Buffer.from(key, 'base64'));

it('a key can be replaced and removed: tokens, audit log and checkpoints stay usable', async () => {
  const { ana, firstKey, restart, admin, disable, doctor, messages } = await startRestartable();
  const secondKey = newKey();
  await disable('kim.lee@example.com');

  await restart(secondKey, firstKey);
  const line = `The key ${idOf(firstKey)} (number 2) is no longer needed: remove it from BELAY_ENCRYPTION_KEYS`;
  await vi.waitFor(() => expect(messages).toContain(line), { timeout: patienceMs });
  const finding = 'is no longer needed.';
  expect(await doctor()).toContain(
    `The key \`${idOf(firstKey)}\` (number 2 in the list) ${finding}`,
  );
  expect((await admin([secondKey, firstKey], 'doctor')).out).toContain(
    `WARNING  Keys: The key ${idOf(firstKey)} (number 2 in the list) ${finding}`,
  );

  await restart(secondKey);
  await disable('joana.prado@example.com');
  expect(await doctor()).toContain('1 encryption key configured · none missing');
  const verify = () => admin([secondKey], 'audit', 'verify');
  expect(await verify()).toMatchObject({ code: 0, error: '' });
  const rotated = await admin([secondKey], 'audit', 'rotate-key', '--by', 'Rita Sousa');
  expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining('changes the key from') });
  await restart(secondKey);
  await heardBack(ana, 2);
  expect(await verify()).toMatchObject({ code: 0, error: '' });
});

it('names the token that can no longer be decrypted, and keeps working', async () => {
  const { db, cleo, firstKey, restart, doctor, messages } = await startRestartable();
  const lost = createCipher([randomBytes(32)]).seal('token', ['lost']);
  await db.updateTable('connection').set({ token_sealed: lost }).execute();
  await restart(firstKey);
  await vi.waitFor(() => expect(messages).toContain("a stored value can't be decrypted"), {
    timeout: patienceMs,
  });
  const { region_id: region } = await db
    .selectFrom('connection')
    .select('region_id')
    .executeTakeFirstOrThrow();
  const answer = await doctor();
  expect(answer).toContain(
    `The API token for region ${region} is encrypted with a key that Belay doesn't have.`,
  );
  expect(answer).toContain('or enter the token again with `/belay setup`.');
  await openSetup(cleo);
});
