/** Takes the focus where what had it is gone; the keyboard and a screen reader would begin at the top of the page otherwise. */
export function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) element?.focus();
}
