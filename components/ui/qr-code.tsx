import { encode } from 'uqr';

/** Modules of white around the code, which readers need (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** A code for cameras. Dark on white in both themes: not every reader takes an inverted one. `label` says what it is. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  const side = size + 2 * QUIET_MODULES;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_MODULES} ${-QUIET_MODULES} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-lg border border-line"
    >
      <rect x={-QUIET_MODULES} y={-QUIET_MODULES} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
