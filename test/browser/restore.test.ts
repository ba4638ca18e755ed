import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOf } from '../playground/service/call-portal.ts';
import {
  createPlaygroundStage,
  desktop,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { become, dialog, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;
let page: Page;

beforeAll(async () => {
  stage = await createPlaygroundStage({ dialect: 'live' });
  page = await stage.open('ana');
});

afterAll(async () => {
  await stage?.close();
});

/** The name of the only volume with it, which an active alert is about, with another id for it. */
function nameInAnAlert(): string {
  const portalId = firstOf(stage.service.portals).id;
  const volumes = stage.service.volumes(portalId);
  const names = stage.service
    .alerts(portalId)
    .filter(({ status }) => status === 'active')
    .flatMap(({ primary_entity: entity }) => entity?.value ?? []);
  return firstOf(
    names.filter((value) => volumes.filter(({ name }) => name === value).length === 1),
  );
}

test.each(desktopAndPhone)('from an alert to a restored volume, on a %s', async (name, size) => {
  await become(page, 'Ana Sousa · operator');
  await page.setViewportSize(size);
  const volume = nameInAnAlert();
  let clicks = 0;
  const click = async (where: Locator, button: string) => {
    clicks += 1;
    await press(where, button);
  };
  await say(page, `/belay alerts "${volume}"`);
  const list = message(page, new RegExp(volume));
  await click(list, 'View details');
  const details = dialog(page, 'Alert');
  await shoot(page, `restore-alert-${name}`);
  await click(details, 'Restore…');
  const backups = dialog(page, 'Belay');
  await backups.getByText('newest first').waitFor();
  await shoot(page, `restore-backups-${name}`);
  await click(backups, 'Restore…');
  const form = dialog(page, 'Restore volume');
  await form.getByRole('textbox', { name: 'Reason' }).fill('The file system is damaged');
  await shoot(page, `restore-form-${name}`);
  await click(form, 'Request approval');
  await form.waitFor({ state: 'hidden' });
  const request = message(page, /requests approval to restore|Restore volume/);
  await request.getByText('No cost estimate from the service.').waitFor();
  await shoot(page, `restore-request-${name}`);

  await become(page, 'Ben Carter · approver');
  await click(request, 'Approve');
  await click(dialog(page, 'Approve this request?'), 'Approve');
  await request.getByText(/was restored to a new volume\./).waitFor();
  await shoot(page, `restore-done-${name}`);
  expect(clicks).toBeLessThanOrEqual(8);
  await page.setViewportSize(desktop);
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});
