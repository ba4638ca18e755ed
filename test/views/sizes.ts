import type { ListedView } from './list-views.ts';
import { renderView } from './render-view.ts';

/** Of all variants of a view on realistic data: the median and the largest number. */
export type ViewSize = { name: string; words: Spread; buttons: Spread };
type Spread = { median: number; max: number };

/** `reason`: why the largest variant has more words. */
type Guide = { words: number; buttons: number; reason?: string };

/** How much a view may say and offer at most. */
export const guides: Record<string, Guide> = {
  approvalMessage: {
    words: 90,
    buttons: 3,
    reason: 'names each of 50 users, and shows each difference of a policy: approvers decide by it',
  },
  digestMessage: {
    words: 150,
    buttons: 4,
    reason: 'the sample is late and incomplete, and has every part with long names',
  },
  auditListMessage: {
    words: 120,
    buttons: 3,
    reason: 'each of ten entries has a person, an action, its subject, a time and a quoted reason',
  },
  complianceListMessage: { words: 130, buttons: 4 },
  doctorMessage: {
    words: 120,
    buttons: 1,
    reason: 'Show all lists each finding with what to do about it',
  },
  topicMessage: { words: 120, buttons: 12 },
};

export function measureViews(views: ListedView[]): ViewSize[] {
  return [...Map.groupBy(views, ({ name }) => name)]
    .map(([name, variants]) => {
      const sizes = variants.map(({ view }) => countShown(renderView(view)));
      return {
        name,
        words: spread(sizes.map(({ words }) => words)),
        buttons: spread(sizes.map(({ buttons }) => buttons)),
      };
    })
    .sort((one, other) => other.words.max - one.words.max);
}

/** A line for each guide that a view exceeds without a reason. */
export function findExcess(sizes: ViewSize[]): string[] {
  return sizes.flatMap(({ name, words, buttons }) => {
    const guide = guides[name];
    if (!guide) return [];
    const hasTooMany = words.max > guide.words && guide.reason === undefined;
    return [
      ...(hasTooMany ? [`${name} has ${words.max} words, more than ${guide.words}`] : []),
      ...(buttons.max > guide.buttons
        ? [`${name} has ${buttons.max} buttons, more than ${guide.buttons}`]
        : []),
    ];
  });
}

/** Without what is read only in a notification, in a question after a click, or by a screen reader. */
function countShown(text: string): { words: number; buttons: number } {
  const [shown = ''] = text.split('\nNotification: ');
  const lines = shown.split('\n').filter((line) => !line.startsWith('  Asks: '));
  const isButton = (line: string) => line.startsWith('[');
  const words = lines
    .filter((line) => !isButton(line))
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return { words: words.length, buttons: lines.filter(isButton).length };
}

function spread(numbers: number[]): Spread {
  const sorted = numbers.toSorted((one, other) => one - other);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
}
