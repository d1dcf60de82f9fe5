/**
 * The look of the widget, in a shadow root: the website's own styles do not reach it. A constructed style sheet needs no
 * `unsafe-inline` of the website's policy.
 */
export const STYLE = `
:host { --bg: #fff; --ink: #1a1c23; --soft: #f1f2f6; --line: #d9dbe3; --muted: #5b6070; --bad: #b42318;
  position: fixed; right: 20px; bottom: 20px; z-index: 2147483000; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); }
@media (prefers-color-scheme: dark) {
  :host { --bg: #1a1c23; --ink: #eceef4; --soft: #272a34; --line: #3b3f4c; --muted: #a9aebd; --bad: #ff9c91; color-scheme: dark; }
}
:host([preview]) { position: static; display: flex; flex-direction: column; align-items: flex-end; gap: 12px; }
* { box-sizing: border-box; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border-radius: 8px; border: 1px solid var(--line); background: var(--bg); padding: 6px 12px; min-height: 36px; }
button:focus-visible, textarea:focus-visible, .log:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
button[aria-disabled=true] { opacity: .55; cursor: default; }
.main { background: var(--accent); color: var(--on-accent); border-color: transparent; }
.launch { width: 56px; height: 56px; border-radius: 50%; padding: 0; display: grid; place-items: center; box-shadow: 0 4px 16px #0004; margin-left: auto; }
svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.panel { width: min(380px, calc(100vw - 40px)); height: min(600px, calc(100vh - 120px)); display: flex; flex-direction: column;
  background: var(--bg); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: 0 8px 32px #0005; margin-bottom: 12px; }
[hidden] { display: none !important; }
header { display: flex; align-items: center; gap: 8px; padding: 10px 12px; background: var(--accent); color: var(--on-accent); }
h2 { flex: 1; font-size: 16px; margin: 0; overflow-wrap: anywhere; }
header button { background: transparent; border-color: transparent; color: inherit; padding: 4px 8px; }
header button:focus-visible { outline-color: var(--on-accent); outline-offset: -3px; }
.log { flex: 1; overflow-y: auto; padding: 12px; display: flex; flex-direction: column; gap: 10px; }
.said { max-width: 85%; padding: 8px 12px; border-radius: 12px; overflow-wrap: anywhere; }
.agent { align-self: flex-start; background: var(--soft); }
.person { align-self: flex-end; background: var(--accent); color: var(--on-accent); }
.said p, .said ul, .said ol { margin: 0 0 6px; } .said > :last-child { margin-bottom: 0; } .said ul, .said ol { padding-left: 20px; }
.said a { color: inherit; }
.name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.note { margin: 0; padding: 0 12px 6px; font-size: 13px; color: var(--muted); }
.problem { display: flex; gap: 8px; align-items: center; justify-content: space-between; color: var(--bad); padding: 0 12px 8px; font-size: 14px; }
form, .over { display: flex; gap: 8px; align-items: flex-end; padding: 10px 12px; border-top: 1px solid var(--line); }
.over { align-items: center; justify-content: space-between; }
textarea { flex: 1; min-width: 0; resize: none; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); padding: 7px 10px; max-height: 120px; }
@media (max-width: 480px) {
  :host(:not([preview])) .panel { position: fixed; inset: var(--visible-top, 0) 0 auto; width: auto;
    height: var(--visible-height, 100dvh); border-radius: 0; border: 0; margin: 0; }
  :host(:not([preview])) .panel:not([hidden]) + .launch { display: none; }
}
@media (prefers-reduced-motion: no-preference) { .launch { transition: transform .15s; } .launch:hover { transform: scale(1.05); } }
`;

/** Black or white, whichever is easier to read on the colour (WCAG's contrast). */
export function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#000' : '#fff';
}
