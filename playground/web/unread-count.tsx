export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="unread">
      {count}
      <span className="visually-hidden"> unread</span>
    </span>
  );
}
