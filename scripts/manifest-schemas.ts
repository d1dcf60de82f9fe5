import { z } from 'zod';

/** Whose schemas know the kinds that are no part of Kubernetes itself. */
const PACKAGES: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

const anything = z.unknown().optional();
const manifest = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: anything,
  data: anything,
  stringData: anything,
  type: anything,
});
type Model = new (data: object) => { validate(): void };

/** What a manifest says that Kubernetes, or the operator whose kind it is, does not take; fields that it does not know too. */
export async function problemsOf(document: unknown): Promise<string[]> {
  const { apiVersion, kind } = manifest.parse(document);
  const [group = ''] = apiVersion.split('/');
  const models: Record<string, Model> = await import(
    `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}`
  );
  const Known = models[kind];
  if (!Known) return [`${apiVersion} has no ${kind}`];
  const unread = new Map<string, Set<string>>();
  try {
    // Its constructor would read everything to copy it.
    Object.assign(new Known({}), watched(document, '', unread)).validate();
  } catch (error) {
    return [String(error)];
  }
  return [...unread].flatMap(([path, fields]) =>
    [...fields].map((field) => `${kind}${path} has no ${field}`),
  );
}

/** Validators read each field that their schema knows, and no other: what stays unread is misspelt. */
function watched(value: unknown, path: string, unread: Map<string, Set<string>>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields = new Map(
    Object.entries(value).map(([name, inner]) => [name, watched(inner, `${path}/${name}`, unread)]),
  );
  if (Array.isArray(value)) return [...fields.values()];
  const left = new Set(fields.keys());
  unread.set(path, left);
  return new Proxy(Object.fromEntries(fields), {
    get(target, name) {
      if (typeof name === 'string') left.delete(name);
      return Reflect.get(target, name);
    },
  });
}
