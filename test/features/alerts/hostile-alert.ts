import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';

/** An alert with the text in every place where a service can put one. */
export function alertMadeOf(text: string): Alert {
  const entity = { id: text, type: text, value: text, otherFields: { [text]: text } };
  return {
    id: text,
    type: text,
    cause: text,
    severity: text,
    status: text,
    notes: text,
    raisedCount: Number.MAX_VALUE,
    raisedTimestamp: text,
    updatedTimestamp: text,
    clearedTimestamp: text,
    consolidatedAlertId: text,
    primaryEntity: entity,
    parentEntity: entity,
    tags: Array.from({ length: 50 }, () => entity),
    details: {
      type: text,
      cause: text,
      description: text,
      variables: { [text]: text },
      otherFields: { [text]: text },
    },
    etag: text,
    otherFields: Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`${index}${text}`, { deep: [text] }]),
    ),
  };
}
