'use client';

import { useState, type FormEvent } from 'react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, BookmarkPlus, Check, Pencil, Trash2, Users } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { ConfirmDialog, Dialog } from '#components/ui/dialog.tsx';
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#components/ui/dropdown-menu.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  createSavedView,
  deleteSavedView,
  MAX_VIEW_NAME,
  type SavedView,
  updateSavedView,
} from '#lib/features/saved-views/contract.ts';
import { savedViewQueries } from '#lib/features/saved-views/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { viewPath, viewQuery } from './view-query.ts';

type Open = 'none' | 'save' | 'manage';

/** Views of the list: chosen, made of what is filtered now, renamed, deleted. */
export function SavedViews() {
  const workspace = useWorkspace();
  const query = viewQuery(useSearchParams());
  const { data: views = [] } = useQuery(savedViewQueries.list(workspace.id));
  const [open, setOpen] = useState<Open>('none');
  const current = views.find((view) => view.query === query);
  const mayWrite = workspace.role !== 'viewer';
  const close = (isOpen: boolean) => setOpen(isOpen ? open : 'none');
  if (views.length === 0 && !mayWrite) return null;
  return (
    <>
      <DropdownMenu
        trigger={
          <Button className="max-w-56">
            <Bookmark aria-hidden="true" />
            <span className="truncate">{current ? current.name : 'Views'}</span>
          </Button>
        }
      >
        {views.length === 0 ? (
          <MenuLabel>No views yet: filter the list, then save it.</MenuLabel>
        ) : (
          views.map((view) => <ViewItem key={view.id} view={view} isCurrent={view.id === current?.id} />)
        )}
        {mayWrite ? (
          <>
            <MenuSeparator />
            <MenuItem disabled={query === '' || current !== undefined} onSelect={() => setOpen('save')}>
              <BookmarkPlus aria-hidden="true" />
              Save these filters…
            </MenuItem>
            {views.some(({ mayChange }) => mayChange) ? (
              <MenuItem onSelect={() => setOpen('manage')}>
                <Pencil aria-hidden="true" />
                Rename and delete…
              </MenuItem>
            ) : null}
          </>
        ) : null}
      </DropdownMenu>
      <Dialog title="Save this view" size="sm" isOpen={open === 'save'} onOpenChange={close}>
        <ViewForm view={null} query={query} onDone={() => setOpen('none')} />
      </Dialog>
      <Dialog title="Views" isOpen={open === 'manage'} onOpenChange={close}>
        <ManagedViews views={views.filter(({ mayChange }) => mayChange)} />
      </Dialog>
    </>
  );
}

function ViewItem({ view, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  const workspace = useWorkspace();
  const router = useRouter();
  const Icon = isCurrent ? Check : view.isShared ? Users : Bookmark;
  return (
    <MenuItem onSelect={() => router.push(viewPath(workspace.id, view.query))}>
      <Icon aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{view.name}</span>
    </MenuItem>
  );
}

function useViewChange<Input>(change: (input: Input) => Promise<unknown>, onDone: () => void) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries(savedViewQueries.list(workspace.id)),
  });
}

type ViewFormProps = { view: SavedView | null; query: string; onDone: () => void };

function ViewForm({ view, query, onDone }: ViewFormProps) {
  const { id: workspaceId } = useWorkspace();
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setIsShared] = useState(view?.isShared ?? false);
  const save = useViewChange(async (body: { name: string; isShared: boolean }) => {
    if (view) await callOperation(updateSavedView, { params: { viewId: view.id }, body }, { workspaceId });
    else await callOperation(createSavedView, { body: { ...body, query } }, { workspaceId });
  }, onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save.mutate({ name, isShared });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={save.error ? describeFailure(save.error) : undefined}>
        <Input value={name} maxLength={MAX_VIEW_NAME} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field layout="check" label="For the whole workspace" description="Otherwise only you see it.">
        <Checkbox checked={isShared} onCheckedChange={(checked) => setIsShared(checked === true)} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={save.isPending} disabled={name.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}

function ManagedViews({ views }: { views: readonly SavedView[] }) {
  const [editing, setEditing] = useState<string | null>(null);
  if (views.length === 0) return <p className="text-sm text-ink-subtle">There are none.</p>;
  return (
    <ul aria-label="Views" className="flex flex-col gap-2">
      {views.map((view) => (
        <li key={view.id} className="rounded-md border border-line px-3 py-2">
          {editing === view.id ? (
            <ViewForm view={view} query={view.query} onDone={() => setEditing(null)} />
          ) : (
            <ManagedView view={view} onEdit={() => setEditing(view.id)} />
          )}
        </li>
      ))}
    </ul>
  );
}

function ManagedView({ view, onEdit }: { view: SavedView; onEdit: () => void }) {
  const workspace = useWorkspace();
  const toast = useToast();
  const remove = useViewChange(
    () =>
      callOperation(deleteSavedView, { params: { viewId: view.id } }, { workspaceId: workspace.id }).catch(
        (error: unknown) => {
          toast({ tone: 'danger', title: describeFailure(error) });
        },
      ),
    () => undefined,
  );
  return (
    <div className="flex items-center gap-2 text-sm">
      <div className="min-w-0 flex-1">
        <Link
          href={viewPath(workspace.id, view.query)}
          className="block truncate rounded-sm font-medium text-ink hover:underline"
        >
          {view.name}
        </Link>
        <p className="truncate text-xs text-ink-subtle">
          {view.isShared ? `For the workspace, by ${view.owner}` : 'Only for you'}
        </p>
      </div>
      <IconButton
        size="sm"
        label={`Change ${view.name}`}
        icon={<Pencil aria-hidden="true" />}
        onClick={onEdit}
      />
      <ConfirmDialog
        title={`Delete the view ${view.name}?`}
        description="The conversations stay."
        confirmLabel="Delete"
        onConfirm={() => remove.mutate(undefined)}
        trigger={<IconButton size="sm" label={`Delete ${view.name}`} icon={<Trash2 aria-hidden="true" />} />}
      />
    </div>
  );
}
