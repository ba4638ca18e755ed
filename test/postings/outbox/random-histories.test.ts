import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFault } from '../../../playground/slack/web-api/faults.ts';
import type { ApiCall } from '../../../playground/slack/web-api/router.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { about, ops, startDeliveryStage, stores } from './stage.ts';

type Step =
  | { kind: 'queue'; subject: number; isMerged: boolean; hasReply: boolean }
  | { kind: 'storm'; count: number }
  | { kind: 'wait'; seconds: number }
  | { kind: 'fault'; method: 'postMessage' | 'update'; fault: ApiFault };

const passing: ApiFault[] = [{ status: 500 }, { status: 503 }, { retryAfterSeconds: 7 }];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('queue' as const),
    subject: fc.integer({ min: 0, max: 5 }),
    isMerged: fc.boolean(),
    hasReply: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('storm' as const), count: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    kind: fc.constant('fault' as const),
    method: fc.constantFrom('postMessage' as const, 'update' as const),
    fault: fc.constantFrom(...passing),
  }),
);

describe.each(stores())('random histories on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('every message is counted or posted once in its last version, at most one a second', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const stage = await startDeliveryStage(database.db);
        const lastTexts = new Map<string, string>();
        let counted = 0;
        let words = 0;
        const subjects: string[] = [];
        const replies: string[] = [];
        const queue = async (named: string[], isMerged: boolean, hasReply = false) => {
          const texts = new Map(named.map((subject) => [subject, `word ${words++}`]));
          subjects.push(...named);
          const more = isMerged ? { group: { key: 'w', title: 'all', facet: 'error' } } : {};
          const outgoing = [...texts].map(([subject, text]) => {
            const reply = { threadReply: notice(text.replace('word', 'reply')) };
            return about(subject, text, { ...more, ...(hasReply && reply) });
          });
          for (const { subject, as } of await stage.queue(outgoing)) {
            const text = texts.get(subject) ?? '';
            if (as === 'summary') counted += 1;
            else lastTexts.set(subject, text);
            if (as === 'message' && hasReply) replies.push(text.replace('word', 'reply'));
          }
        };
        for (const one of steps) {
          if (one.kind === 'queue') await queue([`s${one.subject}`], one.isMerged, one.hasReply);
          else if (one.kind === 'storm') {
            const first = words;
            await queue(
              Array.from({ length: one.count }, (_, index) => `storm ${first + index}`),
              true,
            );
          } else if (one.kind === 'fault') {
            stage.slack.failNext(`chat.${one.method}`, one.fault);
          } else await stage.run(one.seconds);
        }
        // Long enough for every wait after a failure and for the summary to close.
        for (let look = 0; look < 200; look += 1) {
          stage.wait(90_000);
          await stage.deliver();
        }
        const texts = stage
          .texts()
          .map((text) => text.replace(/ \((posted|updated) .* late\)$/, ''));
        const totals = texts.map((text) => Number(/^\*([\d,]+) more/.exec(text)?.[1] ?? 0));
        // Replies that waited for the same message are merged, one line each.
        const own = texts
          .filter((_, index) => totals[index] === 0)
          .flatMap((text) => text.split('\n'));
        expect(own.sort()).toEqual([...lastTexts.values(), ...replies].sort());
        expect(earlyReplies(stage.slack.calls, subjects)).toEqual([]);
        expect(totals.reduce((sum, total) => sum + total, 0)).toBe(counted);
        expect(stage.slack.messageRateOf(ops).maxPerSecond).toBeLessThanOrEqual(1);
      }),
      propertyRuns(15, 5),
    );
  });
});

/** Replies that were posted before the edit that they belong to. */
function earlyReplies(calls: readonly ApiCall[], subjects: string[]): string[] {
  const shown = new Map<string, number>();
  return calls.flatMap(({ arguments: given, result }) => {
    if (!result.ok) return [];
    return [...String(given.text).matchAll(/^(word|reply) (\d+)/gm)].flatMap(
      ([text, kind, number]) => {
        const subject = subjects[Number(number)] ?? '';
        if (kind === 'word') shown.set(subject, Number(number));
        return kind === 'reply' && (shown.get(subject) ?? -1) < Number(number) ? [text] : [];
      },
    );
  });
}
