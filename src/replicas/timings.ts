/** How often each process renews its row and counts the others. */
export const heartbeatMs = 2000;

/** After this, every other process has counted a new one: one heartbeat, and the time of its query. */
export const noticeMs = 3000;

/** The part of a limit that is reserved for processes that the others have not counted yet. */
export const reservedPart = 0.1;

/** An older count may be wrong, because the process may have been counted out meanwhile. */
export const staleMs = 6000;

/** A process that was not seen for so long does not count. Far enough from `staleMs` for clocks that differ. */
export const expiryMs = 10_000;

/** How long `/belay doctor` still reports a process that stopped renewing its row. */
export const retentionMs = 3600_000;
