import { qrPath } from './qr-path.ts';

/** A code for cameras. Dark on white in both themes: not every reader takes an inverted one. `label` says what it is. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, from, side } = qrPath(text);
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> holds no drawing
      role="img"
      aria-label={label}
      viewBox={`${from} ${from} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-lg border border-line"
    >
      <rect x={from} y={from} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
