const MIN_DIGITS = 3;

/**
 * The digits of what looks like (a part of) a phone number, however it is grouped: "+1 555 018-8801", "(018) 8801".
 * null for other texts, and for too few digits to be one.
 */
export function digitsOf(text: string): string | null {
  if (!/^[\d\s()+./-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  return digits.length >= MIN_DIGITS ? digits : null;
}
