import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../playground/service/resources.ts';
import { patienceMs } from '../../support/patience.ts';
import { shareWorld, startWorld, type World } from '../../support/world.ts';

// Belay stops counting after 0.7 s and then says "At least 8"; a busy machine needs longer to count all.
const countMs = patienceMs;

function alertsOf({ service, portal }: World): Alert[] {
  return service.alerts(portal.id);
}

function count(alerts: Alert[], isMatch: (alert: Alert) => boolean): number {
  return alerts.filter(isMatch).length;
}

/** The time that `since:5d` means differs between two commands. */
function withoutSince({ text }: { text: string }): string {
  return text.replace(/updated since <[^>]*>/, '').replace(/Results from <[^>]*>/, '');
}

describe.each(['documented', 'live'] as const)('on the %s dialect', (dialect) => {
  const world = shareWorld({ dialect, countMs });

  test('a typed filter finds and counts the matches', async () => {
    const { ana } = world();
    const isMatch = ({ severity, status, type, parent_entity }: Alert) =>
      severity === 'error' &&
      status === 'active' &&
      type === 'policy_violated' &&
      parent_entity?.value.includes('Gold') === true;
    const expected = count(alertsOf(world()), isMatch);
    expect(expected).toBeGreaterThan(0);
    await ana.send('ops', '/belay alerts severity:error type:policy_violated policy:"gold"');
    const list = await ana.seeMessage('Active alerts by policy, newest first');
    expect(list.text).toContain(`${expected} active: ${expected} error`);
    expect(list.text).toContain('Filters: error, policy violated, policy “gold”');
  });

  test('filters by age and cleared status', async () => {
    const { ana } = world();
    const since = Date.now() - 7 * 24 * 3_600_000;
    const isMatch = ({ status, updated_timestamp }: Alert) =>
      status === 'cleared' && Date.parse(updated_timestamp) >= since;
    const expected = count(alertsOf(world()), isMatch);
    await ana.send('ops', '/belay alerts status:cleared since:1w');
    await ana.seeMessage(`${expected} cleared: `);
  });

  test('sorts all alerts, page by page', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay alerts sort:raised severity:error');
    const first = await ana.seeMessage('Active alerts by policy, earliest raised first');
    await ana.press(first, 'Next');
    const second = await ana.seeMessage('11-20 of ');
    expect(second.text).toContain('`/belay alerts severity:error sort:raised`');
    await ana.press(second, 'Previous');
    await ana.seeMessage('1-10 of ');
  });

  test('refuses a typo without a request to the service', async () => {
    const { ana, service } = world();
    await ana.send('ops', '/belay alerts severity:eror');
    await ana.seeMessage('Did you mean `severity:error`?');
    expect(service.requests).toEqual([]);
  });

  test('the modal starts with the current filter and applies changes', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay alerts severity:warning since:5d orders');
    await ana.press(await ana.seeMessage('Filters: warning'), 'Filter');
    const filter = await ana.seeDialog('Words that an alert must contain');
    const shown = JSON.stringify(filter.blocks);
    expect(shown).toContain('"initial_options":[{"value":"warning"');
    expect(shown).toContain('Last 5 days');
    expect(shown).toContain('"initial_value":"orders"');
    await ana.submit(filter, {
      severity: { input: ['error', 'warning'] },
      type: { input: ['policy_violated', 'restore_failed', 'tag_conflict'] },
      sort: { input: '-severity' },
    });
    const typed =
      '/belay alerts severity:error,warning type:policy_violated,restore_failed,tag_conflict since:5d sort:-severity "orders"';
    const chosen = await ana.seeMessage('Active alerts by policy, most severe first');
    expect(chosen.text).toContain(`\`${typed}\``);
    await ana.send('ops', typed);
    await ana.see(({ conversations }) => {
      const shown = conversations.flatMap(({ messages }) => messages.map(withoutSince));
      return shown.filter((text) => text === withoutSince(chosen)).length === 2 || undefined;
    }, 'the same list for what was typed as for what was chosen');
  });

  test('accepts an undocumented value that the service has', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay alerts quota_exhausted status:all');
    await ana.seeMessage('1 alert (');
    await ana.send('ops', '/belay alerts type:quota_exhausted status:all');
    await ana.seeMessage('Filters: quota exhausted');
  });
});

test('filters in the service where possible', async () => {
  const { ana, service } = await startWorld({ dialect: 'live', countMs });
  await ana.send(
    'ops',
    '/belay alerts severity:error type:tag_conflict,restore_failed since:2026-01-01',
  );
  await ana.seeMessage(/active alerts/i);
  const [request] = service.requests.filter(({ path }) => path.startsWith('/alerts/individual?'));
  const query = new URLSearchParams(request?.path.split('?')[1]);
  expect(JSON.parse(query.get('filter') ?? '')).toEqual({
    status: { $in: ['active'] },
    severity: { $in: ['error'] },
    type: { $in: ['tag_conflict', 'restore_failed'] },
    updated_timestamp: { $gte: '2026-01-01T00:00:00.000Z' },
  });
});
