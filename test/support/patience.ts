/**
 * How long any test waits for something to happen, in milliseconds. Passing tests never come near it,
 * even on a busy machine; only a failing one takes this long.
 */
export const patienceMs = 60_000;

/** Several waits fit into one test, so that the wait that failed is the one that is reported. */
export const testTimeoutMs = 3 * patienceMs;
