/** Who waits until what was written so far has been played; positions count samples. */
export function createMarks() {
  let marks: { position: number; resolve: (wasPlayed: boolean) => void }[] = [];
  return {
    add: (position: number) => new Promise<boolean>((resolve) => marks.push({ position, resolve })),
    settle(position: number) {
      if (marks.length === 0) return;
      const played = marks.filter((mark) => mark.position <= position);
      marks = marks.filter((mark) => mark.position > position);
      for (const mark of played) mark.resolve(true);
    },
    drop(after: number) {
      const dropped = marks.filter((mark) => mark.position > after);
      marks = marks.filter((mark) => mark.position <= after);
      for (const mark of dropped) mark.resolve(false);
    },
  };
}
