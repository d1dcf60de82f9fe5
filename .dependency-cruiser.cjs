/** The layers of the code (docs/architecture.md), checked on every run of the tests. Each rule carries its reason. */
const NODE_SIDE = [
  '^db/',
  '^server/',
  '^lib/adapters/',
  '^lib/runtime(-dependencies)?\\.ts$',
  '^lib/auth/(service|better-auth|mint|loaders)\\.ts$',
  '/(service|repository|jobs|loaders)\\.ts$',
];

module.exports = {
  forbidden: [
    {
      name: 'nothing-imports-app',
      comment: 'Routing is the outermost layer: what two routes share belongs to a feature or a component.',
      severity: 'error',
      from: { pathNot: '^app/|\\.test\\.ts$' },
      to: { path: '^app/' },
    },
    {
      name: 'components-stay-in-the-browser',
      comment:
        'A client component that reaches a service, the database or an adapter, even through other files, ships it to browsers.',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: NODE_SIDE, reachable: true },
    },
    {
      name: 'contracts-and-queries-are-leaves',
      comment:
        'Browsers, the OpenAPI builder and tests read them; they must not pull in what runs on the server.',
      severity: 'error',
      from: { path: '^lib/features/.+/(contract|queries)\\.ts$' },
      to: { path: NODE_SIDE, reachable: true },
    },
    {
      name: 'ports-are-types',
      comment: 'A port that imports an adapter or a feature is not a port.',
      severity: 'error',
      from: { path: '^lib/ports/', pathNot: '(testing|conformance)\\.ts$' },
      to: { path: '^(app|components|server|lib/(adapters|features|engine|http))/' },
    },
    {
      name: 'adapters-know-ports-only',
      comment:
        'An adapter translates between a port and one outside system; product rules in it would have to be repeated in the next one.',
      severity: 'error',
      from: { path: '^lib/adapters/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|components|server|lib/(features|http))/' },
    },
    {
      name: 'only-runtime-picks-adapters',
      comment:
        'Features take ports; which adapter stands behind one is decided in lib/runtime.ts, for conversations in lib/conversation-runtime.ts, for storage in lib/storage-runtime.ts.',
      severity: 'error',
      from: {
        path: '^(app|components|server|lib)/',
        pathNot:
          '^lib/(adapters/|((conversation|storage)-)?runtime(-dependencies)?\\.ts|runtime-testing\\.ts)|\\.test\\.ts$',
      },
      to: { path: '^lib/adapters/', pathNot: '^lib/adapters/system/' },
    },
    {
      name: 'engine-is-independent',
      comment:
        'The live conversation is tested with fakes at its ports; it must not know features, the database or HTTP.',
      severity: 'error',
      from: { path: '^lib/engine/', pathNot: '(\\.test|/testing-judge)\\.ts$' },
      to: { path: '^(app|components|server|db|lib/(adapters|features|http|auth))/' },
    },
    {
      name: 'conversations-hold-no-database',
      comment:
        'What runs conversations is loaded by processes of its own: a database or a page in it would delay frames of sound.',
      severity: 'error',
      from: { path: '^server/(conversation|simulation)-process\\.ts$' },
      to: {
        path: '^(db|app|components|lib/(features|auth|http))/|^lib/runtime(-dependencies)?\\.ts$|^node_modules/(next|drizzle-orm)/',
        reachable: true,
      },
    },
    {
      name: 'sql-in-repositories',
      comment:
        'A query outside a repository is a query without the workspace as its parameter sooner or later.',
      severity: 'error',
      from: { path: '^(app|components)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^db/' },
    },
    {
      name: 'scopes-are-minted-by-authentication',
      comment:
        'Who may mint a WorkspaceId can act in any workspace: authentication, provisioning, jobs that stored one, calls that come in, whose number or ticket decides, the chats of visitors, whose widget does, and links that were shared, whose signature does.',
      severity: 'error',
      from: {
        path: '^(app|components|lib)/',
        pathNot:
          '^lib/(auth/|features/provision/|features/.+/(jobs|dispatch|execution|incoming|web/|widget/|sending|sweep|opening/|recovery|testing)[^/]*|runtime-testing\\.ts)|\\.test\\.ts$',
      },
      to: { path: '^lib/auth/mint\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle means two modules are one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-test-code-in-product',
      comment: 'Test support must not be shipped.',
      severity: 'error',
      from: { path: '^(app|components|server)/', pathNot: '\\.test\\.|^server/testing\\.ts$' },
      to: { path: '(testing|conformance)\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|\\.next|clients/typescript/src/generated/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
