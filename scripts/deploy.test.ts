import { glob, readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { getHealth, getReady } from '#lib/features/status/contract.ts';
import { parseEnv } from '#lib/env.ts';
import { problemsOf } from './manifest-schemas.ts';

const ROOT = new URL('..', import.meta.url);
const read = (path: string) => readFile(new URL(path, ROOT), 'utf8');
/** preStop, goodbyes and what is stored after them. */
const BESIDE_DRAINING_SECONDS = 30;

async function parse(path: string): Promise<unknown[]> {
  return parseAllDocuments(await read(path), { strict: true, merge: true }).map((document) => {
    expect(document.errors, path).toEqual([]);
    expect(document.warnings, path).toEqual([]);
    return document.toJS() as unknown;
  });
}

const quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const sizes = z.object({ memory: quantity, 'ephemeral-storage': quantity });
const probe = z.object({ httpGet: z.object({ path: z.string() }) });
const deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([
          z.object({
            env: z.tuple([z.object({ name: z.literal('ROLE'), value: z.enum(['web', 'worker']) })]),
            livenessProbe: probe,
            readinessProbe: probe,
            securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
            resources: z.object({ requests: sizes.extend({ cpu: quantity }), limits: sizes }),
          }),
        ]),
        volumes: z.array(z.object({ emptyDir: z.object({ sizeLimit: quantity }) })),
      }),
    }),
  }),
});
const settings = z.object({ data: z.record(z.string(), z.string()) });
const secret = z.object({ stringData: z.record(z.string(), z.string()) });
const service = z.object({
  mem_limit: z.string(),
  environment: z.record(z.string(), z.string()),
  stop_grace_period: z.string().optional(),
});
const compose = z.object({ services: z.record(z.string(), service) });

it('every manifest of Kubernetes is read, and the list names those there are', async () => {
  const files = (await readdir(new URL('deploy/kubernetes', ROOT)))
    .filter((name) => name.endsWith('.yaml'))
    .toSorted();
  const [list] = z
    .tuple([z.object({ resources: z.array(z.string()) })])
    .parse(await parse('deploy/kubernetes/kustomization.yaml'));
  const byHand = ['kustomization.yaml', 'migrate.yaml', 'monitoring.yaml', 'secret.example.yaml'];
  expect(files).toEqual([...list.resources, ...byHand].toSorted());
});

it('every manifest is one that Kubernetes and the operators take, without a field that they do not know', async () => {
  const found: string[] = [];
  let count = 0;
  for await (const path of glob('deploy/kubernetes/**/*.yaml', { cwd: ROOT })) {
    if (path.endsWith('kustomization.yaml')) continue;
    for (const document of await parse(path)) {
      count += 1;
      found.push(...(await problemsOf(document)).map((problem) => `${path}: ${problem}`));
    }
  }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(12);
});

it('a field of the wrong type, a misspelt one and an unknown kind are found', async () => {
  const [pods] = await parse('deploy/kubernetes/web.yaml');
  const changed = (from: string, to: string) => JSON.parse(JSON.stringify(pods).replace(from, to)) as unknown;
  expect(await problemsOf(pods)).toEqual([]);
  expect(await problemsOf(changed('"containerPort":3000', '"containerPort":"http"'))).toHaveLength(1);
  expect(await problemsOf(changed('"sizeLimit"', '"sizelimit"'))).toEqual([
    'Deployment/spec/template/spec/volumes/0/emptyDir has no sizelimit',
  ]);
  expect(await problemsOf(changed('"Deployment"', '"Deploiment"'))).toEqual(['apps/v1 has no Deploiment']);
});

it('Prometheus asks every pod, with the token of the secret and under the name that the alerts know', async () => {
  const [monitor] = z
    .tuple([
      z.object({
        spec: z.object({
          selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
          jobLabel: z.string(),
          endpoints: z.tuple([
            z.object({
              port: z.string(),
              authorization: z.object({ credentials: z.object({ name: z.string(), key: z.string() }) }),
            }),
          ]),
        }),
      }),
    ])
    .parse(await parse('deploy/kubernetes/monitoring.yaml'));
  const [endpoint] = monitor.spec.endpoints;
  const [kept] = z
    .tuple([secret.extend({ metadata: z.object({ name: z.string() }) })])
    .parse(await parse('deploy/kubernetes/secret.example.yaml'));
  expect(endpoint.authorization.credentials.name).toBe(kept.metadata.name);
  expect(
    parseEnv({ METRICS_TOKEN: kept.stringData[endpoint.authorization.credentials.key] }).metricsToken,
  ).toBeDefined();
  const asked = z.object({
    kind: z.literal('Service'),
    metadata: z.object({ labels: z.record(z.string(), z.string()) }),
    spec: z.object({ ports: z.tuple([z.object({ name: z.string() })]) }),
  });
  for (const role of ['web', 'worker']) {
    const { metadata, spec } = asked.parse((await parse(`deploy/kubernetes/${role}.yaml`)).at(-1));
    expect(metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(spec.ports[0].name).toBe(endpoint.port);
    const job = metadata.labels[monitor.spec.jobLabel];
    expect(await read('docs/monitoring/alerts.yml')).toContain(`job="${job}"`);
  }
});

it.each(['web', 'worker'])('the %s pods are given settings that start, and time to drain', async (role) => {
  const [pods] = await parse(`deploy/kubernetes/${role}.yaml`);
  const { spec } = deployment.parse(pods);
  const [container] = spec.template.spec.containers;
  const [given] = z.tuple([settings]).parse(await parse('deploy/kubernetes/settings.yaml'));
  const [kept] = z.tuple([secret]).parse(await parse('deploy/kubernetes/secret.example.yaml'));
  const env = parseEnv({ ...given.data, ...kept.stringData, ROLE: role });
  expect(env.role).toBe(role);
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
    env.drainMs / 1000 + BESIDE_DRAINING_SECONDS,
  );
  const gibibytes = (text: string) => Number.parseInt(text, 10) / (text.endsWith('Gi') ? 1 : 1024);
  const volumes = spec.template.spec.volumes.map(({ emptyDir }) => gibibytes(emptyDir.sizeLimit));
  expect(gibibytes(container.resources.limits['ephemeral-storage'])).toBeGreaterThan(
    volumes.reduce((all, one) => all + one, 0),
  );
  expect(container.livenessProbe.httpGet.path).toBe(`/api${getHealth.path}`);
  expect(container.readinessProbe.httpGet.path).toBe(`/api${getReady.path}`);
  expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
});

it('the compose file runs a web process and two workers on one database and one bucket, with time to drain', async () => {
  const [parsed] = await parse('deploy/compose.yaml');
  const { services } = compose.parse(parsed);
  const ours = Object.values(services).filter(({ environment }) => environment.ROLE);
  expect(ours.map(({ environment }) => environment.ROLE)).toEqual(['web', 'worker', 'worker']);
  for (const { environment, stop_grace_period: grace } of ours) {
    const given = Object.entries(environment).map(([name, value]) => [name, withDefaults(value)]);
    const env = parseEnv(Object.fromEntries(given));
    expect(env.storage).toMatchObject({ kind: 's3', bucket: services.s3?.environment.S3_BUCKET });
    expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThanOrEqual(env.drainMs / 1000 + 20);
  }
});

/** As compose fills them in where nothing is set. */
const withDefaults = (value: string) =>
  value
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{(\w+):\?[^}]*\}/g, 'given-$1-to-the-service-by-its-operator');

const packageSchema = z.object({ version: z.string(), dependencies: z.object({ node: z.string() }) });
const readPackage = async () => packageSchema.parse(JSON.parse(await read('package.json')));

it('the manifests run the image of this version', async () => {
  const { version } = await readPackage();
  const [list] = z
    .tuple([z.object({ images: z.tuple([z.object({ newTag: z.string() })]) })])
    .parse(await parse('deploy/kubernetes/kustomization.yaml'));
  expect(list.images[0].newTag).toBe(version);
  for (const name of ['web', 'worker', 'migrate'])
    expect(await read(`deploy/kubernetes/${name}.yaml`)).toContain(`image: callwright:${version}\n`);
});

it('the image has the Node that the service is built with, and is not run as root', async () => {
  const dockerfile = await read('Dockerfile');
  const { dependencies } = await readPackage();
  expect(dockerfile).toContain(`ARG NODE_VERSION=${dependencies.node}\n`);
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toMatch(/^USER node$/m);
});
