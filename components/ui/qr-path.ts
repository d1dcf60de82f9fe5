import { encode } from 'uqr';

/** Modules of white around the code, which readers need (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** The dark modules of a code as the path of an SVG, and the square that it is drawn in, in modules. */
export function qrPath(text: string): { path: string; from: number; side: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { path, from: -QUIET_MODULES, side: size + 2 * QUIET_MODULES };
}
