/**
 * A value that was written as JSON where it comes from, the database: it passes on as one text, where it would be taken
 * apart into hundreds of values, checked and written again. `parse` is for whoever wants the value.
 */
export type WrittenJson<Value> = { readonly writtenJson: string; parse(): Value };

export function writtenJson<Value>(json: string): WrittenJson<Value> {
  return { writtenJson: json, parse: (): Value => JSON.parse(json) };
}

/** An answer whose `data` is written already. Told by its form: a class of the bundled routes is not that of the services. */
export function hasWrittenData(answer: unknown): answer is { data: WrittenJson<unknown> } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'data' in answer &&
    typeof answer.data === 'object' &&
    answer.data !== null &&
    'writtenJson' in answer.data
  );
}
