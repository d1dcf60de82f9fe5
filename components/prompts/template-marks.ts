export type TemplateMark = { start: number; end: number; kind: 'placeholder' | 'error' };
export type TemplateSegment = { text: string; start: number; kind: TemplateMark['kind'] | 'plain' };

/** The placeholders of a text, for colouring only: whether they are right is the service's to say. */
export function placeholderMarks(text: string): TemplateMark[] {
  const marks: TemplateMark[] = [];
  const open: number[] = [];
  for (const brace of text.matchAll(/\{\{|\}\}/g)) {
    if (brace[0] === '{{') {
      open.push(brace.index);
      continue;
    }
    const start = open.pop();
    // A choice holds placeholders of its own: only the outermost is coloured.
    if (start !== undefined && open.length === 0)
      marks.push({ start, end: brace.index + 2, kind: 'placeholder' });
  }
  return marks;
}

/** Cuts a text at the borders of its marks; where marks overlap, an error covers a placeholder. */
export function segmentText(text: string, marks: readonly TemplateMark[]): TemplateSegment[] {
  const borders = new Set([0, text.length]);
  for (const mark of marks) {
    borders.add(mark.start);
    borders.add(mark.end);
  }
  const sorted = [...borders].toSorted((a, b) => a - b);
  return sorted.slice(0, -1).map((start, index) => {
    const end = sorted[index + 1] ?? text.length;
    const covering = marks.filter((mark) => mark.start <= start && mark.end >= end);
    const kind = covering.some((mark) => mark.kind === 'error') ? 'error' : (covering[0]?.kind ?? 'plain');
    return { text: text.slice(start, end), start, kind };
  });
}
