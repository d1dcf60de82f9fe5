const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** 1536 → "1.5 KB": binary steps, one decimal below ten. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** step;
  const digits = step === 0 || value >= 10 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[step]}`;
}
