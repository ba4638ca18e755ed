const COLOURS = 6;

/** A square with initials; the same id always has the same colour. */
export function Avatar({ name, seed }: { name: string; seed: string }) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  const sum = [...seed].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return (
    <span className="avatar" data-colour={sum % COLOURS} aria-hidden="true">
      {initials}
    </span>
  );
}
