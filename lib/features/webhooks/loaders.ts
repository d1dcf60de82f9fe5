import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

const PAGE_SIZE = 25;

export async function loadWebhookSettings(workspaceId: string) {
  return runtime().webhooks.getSettings(await loadActor(workspaceId));
}

export async function loadWebhookHealth(workspaceId: string) {
  return runtime().webhooks.getHealth(await loadActor(workspaceId));
}

/** The first page of the log, unfiltered. */
export async function loadDeliveries(workspaceId: string) {
  return runtime().webhooks.listDeliveries(await loadActor(workspaceId), { limit: PAGE_SIZE });
}

export async function loadDelivery(workspaceId: string, deliveryId: string) {
  return orNotFound(runtime().webhooks.getDelivery(await loadActor(workspaceId), deliveryId));
}
