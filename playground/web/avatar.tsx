const COLORS = 6;

/** A square with initials. The color is derived from the id. */
export function Avatar({ name, seed }: { name: string; seed: string }) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  const sum = [...seed].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return (
    <span className="avatar" data-color={sum % COLORS} aria-hidden="true">
      {initials}
    </span>
  );
}
