import type { BaseSyntheticEvent, ReactNode } from 'react';

/**
 * The editor with its preview beside it, or below it on a narrow screen. Only the editor is the form: Enter in a
 * sample variable must not save.
 */
export function EditorLayout({
  onSubmit,
  editor,
  preview,
}: {
  onSubmit: (event: BaseSyntheticEvent) => Promise<void>;
  editor: ReactNode;
  preview: ReactNode;
}) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(22rem,28rem)] 2xl:grid-cols-[minmax(0,1fr)_34rem]">
      <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex min-w-0 flex-col gap-4">
        {editor}
      </form>
      <div className="min-w-0 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto">
        {preview}
      </div>
    </div>
  );
}
