import { fileLists } from '#analysis/ecosystems/file-lists.ts'

/** Identifiers in examples, which a reader replaces by those of the own server. */
export const exampleIds = {
  org: '4a72d1db-b465-4764-99e1-ecedad03b06a',
  otherOrg: '9f3c1a6e-7d2b-4f5a-8c11-2b6f0d9e4a01',
  group: 'a1c2e3f4-0b1d-4c2e-9f3a-5b6c7d8e9f01',
  project: '2d6b7c10-5a3e-4f8d-9b21-7c4e0a1f3d02',
  user: '7e1f4b92-8c3d-4a6e-b5f0-1d9c2a3b4e03',
  member: '5b8d2e71-3f4a-4c9b-a6d7-0e1f2c3b4d09',
  app: '3c9a0e5d-6b1f-4d7c-8e42-9f5a1b0c2d04',
  unattendedApp: 'c4d5e6f7-0a1b-4c2d-9e3f-5a6b7c8d9e0a',
  installedClient: '6f1f5c1e-2a3b-4c5d-8e6f-7a8b9c0d1e2f',
  membership: 'd1e2f3a4-5b6c-4d7e-8f90-a1b2c3d4e50b',
  serviceAccount: 'e6f7a8b9-0c1d-4e2f-a3b4-c5d6e7f8090c',
  integration: '8d2e6f3a-1c4b-4e9d-a753-0b8c7d6e5f05',
  role: '1b7d3c9e-4a5f-4b2d-9c86-3e0f1a2b4c06',
  policy: 'b2c3d4e5-6f70-4a1b-8c2d-3e4f5a6b7c0e',
  webhook: '0e5c8b7a-2d3f-4a1c-b964-6f7e8d9c0b07',
} as const

const ORG_COLLABORATOR = '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004'
const GROUP_VIEWER = '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0002'

const npmLock = toText({
  name: 'shop',
  lockfileVersion: 3,
  packages: { '': { dependencies: { lodash: '^4.17.0' } }, 'node_modules/lodash': { version: '4.17.20' } },
})
const packageJson = toText({ name: 'shop', version: '1.0.0', dependencies: { lodash: '^4.17.0' } })
const project =
  '[project]\nname = "shop"\nversion = "1.0.0"\nrequires-python = ">=3.12"\ndependencies = ["jinja2==3.1.2"]\n'

const depGraph = {
  schemaVersion: '1.3.0',
  pkgManager: { name: 'npm' },
  pkgs: [
    { id: 'shop@1.0.0', info: { name: 'shop', version: '1.0.0' } },
    { id: 'lodash@4.17.20', info: { name: 'lodash', version: '4.17.20' } },
  ],
  graph: {
    rootNodeId: 'root',
    nodes: [
      { nodeId: 'root', pkgId: 'shop@1.0.0', deps: [{ nodeId: 'lodash' }] },
      { nodeId: 'lodash', pkgId: 'lodash@4.17.20', deps: [] },
    ],
  },
}

/** Texts of a small project for each package manager: the manifest or lockfile that is the target, then others. */
const manifests: Readonly<Record<string, readonly [target: string, ...additional: string[]]>> = {
  npm: [npmLock],
  yarn: [
    packageJson,
    '# yarn lockfile v1\n\nlodash@^4.17.0:\n  version "4.17.20"\n  resolved "https://registry.example/lodash/-/lodash-4.17.20.tgz"\n',
  ],
  pnpm: [
    "lockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies:\n      lodash:\n        specifier: ^4.17.0\n        version: 4.17.20\n\npackages:\n  lodash@4.17.20:\n    resolution: {integrity: sha512-AA==}\n\nsnapshots:\n  lodash@4.17.20: {}\n",
  ],
  bun: [
    '{\n  "lockfileVersion": 1,\n  "workspaces": { "": { "name": "shop", "dependencies": { "lodash": "^4.17.0" } } },\n  "packages": { "lodash": ["lodash@4.17.20", "", {}, ""] }\n}\n',
  ],
  gomodules: [
    'module shop.example/web\n\ngo 1.22.0\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.0\n\tgolang.org/x/net v0.7.0 // indirect\n)\n',
  ],
  govendor: [
    toText({
      rootPath: 'shop.example/web',
      package: [
        {
          path: 'github.com/dgrijalva/jwt-go',
          revision: '06ea1031745cb8b3dab3f6a236daf2b0aa468b7e',
          revisionTime: '2018-03-08T23:13:08Z',
          version: 'v3.2.0',
          versionExact: 'v3.2.0',
        },
      ],
    }),
  ],
  maven: [
    '<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>shop.example</groupId>\n  <artifactId>web</artifactId>\n  <version>1.0.0</version>\n  <dependencies>\n    <dependency>\n      <groupId>org.apache.logging.log4j</groupId>\n      <artifactId>log4j-core</artifactId>\n      <version>2.14.1</version>\n    </dependency>\n  </dependencies>\n</project>\n',
  ],
  gradle: [
    "plugins { id 'java' }\n\ndependencies {\n    implementation 'org.apache.logging.log4j:log4j-api:2.14.1'\n}\n",
    'org.apache.logging.log4j:log4j-api:2.14.1=compileClasspath,runtimeClasspath\nempty=\n',
  ],
  rubygems: [
    'GEM\n  remote: https://registry.example/\n  specs:\n    rack (2.2.3)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack (~> 2.2)\n\nBUNDLED WITH\n   2.5.0\n',
  ],
  pip: ['jinja2==3.1.2\n'],
  poetry: [
    '[[package]]\nname = "jinja2"\nversion = "3.1.2"\ndescription = ""\noptional = false\npython-versions = ">=3.7"\nfiles = []\n\n[metadata]\nlock-version = "2.0"\npython-versions = "^3.12"\ncontent-hash = "0000"\n',
  ],
  uv: [
    'version = 1\nrequires-python = ">=3.12"\n\n[[package]]\nname = "jinja2"\nversion = "3.1.2"\nsource = { registry = "https://registry.example/simple" }\n\n[[package]]\nname = "shop"\nversion = "1.0.0"\nsource = { virtual = "." }\ndependencies = [{ name = "jinja2" }]\n\n[package.metadata]\nrequires-dist = [{ name = "jinja2", specifier = "==3.1.2" }]\n',
    project,
  ],
  pipenv: [
    toText({
      _meta: { 'pipfile-spec': 6, requires: {}, sources: [] },
      default: { jinja2: { version: '==3.1.2' } },
      develop: {},
    }),
  ],
  pyproject: [project],
  sbt: ['scalaVersion := "2.13.14"\n\nlibraryDependencies += "org.apache.logging.log4j" % "log4j-core" % "2.14.1"\n'],
  ...Object.fromEntries(fileLists.map(({ ecosystem, example }) => [ecosystem, example])),
  sbom: [
    toText({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ type: 'library', name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' }],
    }),
  ],
}

function testRequest([target, ...additional]: readonly string[]): object {
  return {
    files: {
      target: { contents: target },
      ...(additional.length > 0 && { additional: additional.map((contents) => ({ contents })) }),
    },
  }
}

function toText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function resource(type: string, attributes: object, more: object = {}): object {
  return { data: { ...more, type, attributes } }
}

/** Request examples by path, for operations that share a schema but not its content. */
export const examplesByPath: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(manifests).map(([id, texts]) => [`/v1/test/${id}`, testRequest(texts)]),
)

const { org, otherOrg, group, user, app, integration, role, webhook } = exampleIds
const secrets = (type: string) => resource(type, { mode: 'create' })
const ignore = {
  ignorePath: '*',
  reason: 'Not reachable from our code',
  reasonType: 'not-vulnerable',
  disregardIfFixable: false,
}
const notifications = { 'new-issues-remediations': { enabled: false, issueSeverity: 'high', issueType: 'vuln' } }
const member = { data: { type: 'user', id: exampleIds.member } }

/** Whole request examples by schema name. Each is a request that the server accepts, minimal but useful. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  NewApiKey: resource('api_key', { name: 'laptop' }),
  ChangedOrg: resource('org', { name: 'Payments' }, { id: org }),
  NewGroup: resource('group', { name: 'Subsidiary' }),
  ChangedLicensePolicy: resource(
    'license_policy',
    { rules: [{ license: 'AGPL-3.0-only', severity: 'high', instructions: 'Ask the legal team' }] },
    { id: org },
  ),
  ChangedIssueTriage: resource('issue_triage', { assignee_id: exampleIds.user, due_on: '2031-08-29' }),
  NewIssueComment: resource('issue_comment', { body: 'The fix waits for the next release of the framework.' }),
  ChangedIssueComment: resource('issue_comment', { body: 'The fix is in the next release of the framework.' }),
  ChangedSlaPolicy: resource('sla_policy', { critical_days: 14, high_days: 30, exploited_days: 7 }, { id: org }),
  NewPolicy: resource('policy', {
    name: 'Prototype pollution in build tools',
    action_type: 'ignore',
    action: { data: { ignore_type: 'wont-fix', reason: 'Runs only in the build', expires: '2031-12-24' } },
    conditions_group: {
      logical_operator: 'and',
      conditions: [{ field: 'vulnerability-id', operator: 'includes', value: ['CVE-2021-23337'] }],
    },
  }),
  VexInput: {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://vex.example/lodash',
    author: 'Payments',
    timestamp: '2024-10-15T12:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { name: 'CVE-2021-23337' },
        products: [{ '@id': 'pkg:npm/lodash@4.17.20' }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
      },
    ],
  },
  ChangedPolicy: resource('policy', { name: 'Build tools' }, { id: exampleIds.policy }),
  ChangedProject: resource(
    'project',
    { business_criticality: ['critical'], environment: ['frontend'], tags: [{ key: 'team', value: 'checkout' }] },
    { id: exampleIds.project },
  ),
  PurlsInput: resource('resource', { purls: ['pkg:npm/lodash@4.17.20'] }),
  NewIntegration: resource('integration', {
    kind: 'github',
    name: 'GitHub',
    credentials: { token: 'an-access-token' },
  }),
  ChangedIntegration: resource('integration', { name: 'GitHub, payments team' }, { id: integration }),
  NewConnectionTest: resource('integration_test', { target: { owner: 'shop', name: 'web' } }),
  OrgNewMembership: {
    data: {
      type: 'org_membership',
      relationships: {
        user: member,
        role: { data: { type: 'org_role', id: ORG_COLLABORATOR } },
        org: { data: { type: 'org', id: org } },
      },
    },
  },
  OrgChangedMembership: {
    data: {
      type: 'org_membership',
      id: exampleIds.membership,
      attributes: {},
      relationships: { role: { data: { type: 'org_role', id: ORG_COLLABORATOR } } },
    },
  },
  GroupNewMembership: {
    data: {
      type: 'group_membership',
      relationships: {
        user: member,
        role: { data: { type: 'group_role', id: GROUP_VIEWER } },
        group: { data: { type: 'group', id: group } },
      },
    },
  },
  GroupChangedMembership: {
    data: {
      type: 'group_membership',
      id: exampleIds.membership,
      attributes: {},
      relationships: { role: { data: { type: 'group_role', id: GROUP_VIEWER } } },
    },
  },
  NewUser: resource('user', { name: 'Alex Doe', email: 'alex@example.com' }),
  ChangedUser: resource('user', { name: 'Alex Doe' }, { id: user }),
  NewRole: resource('role', { name: 'Auditor', description: 'Reads everything', permissions: ['org.read'] }),
  ChangedRole: resource('role', { name: 'Auditor of payments' }, { id: role }),
  NewOrgServiceAccount: resource('service_account', { name: 'ci', auth_type: 'api_key', role_id: ORG_COLLABORATOR }),
  NewGroupServiceAccount: resource('service_account', { name: 'ci', auth_type: 'api_key', role_id: GROUP_VIEWER }),
  RenamedServiceAccount: resource('service_account', { name: 'ci of payments' }, { id: exampleIds.serviceAccount }),
  ServiceAccountSecrets: secrets('service_account'),
  NewApp: resource('app', { name: 'Dashboard', redirect_uris: ['https://app.example/callback'], scopes: ['org.read'] }),
  ChangedApp: resource('app', { name: 'Dashboard' }, { id: app }),
  AppSecrets: secrets('app'),
  CreateAppDeprecatedRequest: {
    name: 'Reports',
    redirect_uris: ['https://app.example/callback'],
    scopes: ['org.read'],
  },
  UpdateAppDeprecatedRequest: { name: 'Reports' },
  ManageAppSecretsDeprecatedRequest: { mode: 'create' },
  NewInstall: {
    data: { type: 'app_install' },
    relationships: { app: { data: { type: 'app', id: exampleIds.unattendedApp } } },
  },
  InstallSecrets: secrets('app'),
  NewExposureReport: resource('exposure_report', { credentials: ['an-api-key'], reporter: 'secret-scanner' }),
  NewWebhook: resource('webhook', { url: 'https://hooks.example/gatehouse', events: ['issues.new'] }),
  ChangedWebhook: resource('webhook', { is_active: false }, { id: webhook }),
  NewWebhookSecret: resource('webhook', { grace_seconds: 86_400 }),
  VerifyTokenV1Request: { api: 'an-api-key' },
  ChangedNotifications: notifications,
  V1Invitation: { email: 'sam@example.com' },
  V1NewOrg: { name: 'Payments', groupId: group },
  UpdateOrgSettingsV1Request: { policyFiles: 'allow' },
  ListProjectsV1Request: { filters: { name: 'shop' } },
  ListDependenciesV1Request: { filters: { languages: ['js'], severity: ['high'] } },
  ListLicensesV1Request: { filters: { languages: ['js'] } },
  ChangedV1Project: { branch: 'main' },
  DeleteProjectsV1Request: { projects: [exampleIds.project] },
  MoveProjectV1Request: { targetOrgId: otherOrg },
  TagBody: { key: 'team', value: 'checkout' },
  SetProjectAttributesV1Request: { criticality: ['critical'], environment: ['frontend'], lifecycle: ['production'] },
  V1ProjectSettings: { autoDepUpgradeEnabled: false },
  ListProjectSnapshotsV1Request: { filters: {} },
  CreateJiraIssueV1Request: {
    fields: { project: { key: 'SEC' }, issuetype: { name: 'Bug' }, summary: 'Upgrade lodash' },
  },
  ListAggregatedIssuesV1Request: { filters: { severities: ['critical', 'high'], types: ['vuln'] } },
  ListAggregatedIssuesOfSnapshotV1Request: { filters: { severities: ['critical', 'high'], types: ['vuln'] } },
  ListIssuesV1Request: { filters: { severities: ['high'], types: ['vuln'] } },
  MonitoredGraph: { depGraph, meta: { projectName: 'shop' } },
  ClientMonitoring: { meta: { org: 'payments', name: 'shop' }, depGraphJSON: depGraph, targetFile: 'package.json' },
  ReplaceIgnoresV1Request: [ignore],
  NewIgnore: ignore,
  V1Integration: { type: 'github', credentials: { token: 'an-access-token' } },
  V1IntegrationSettings: { autoDepUpgradeEnabled: false },
  CloneIntegrationV1Request: { destinationOrgPublicId: otherOrg },
  V1NewImport: { target: { owner: 'shop', name: 'web', branch: 'main' } },
  DepGraphRequest: { depGraph },
  TreeRequest: { files: [{ path: 'package-lock.json', contents: npmLock }] },
  TokenRequest: {
    grant_type: 'client_credentials',
    client_id: exampleIds.installedClient,
    client_secret: 'a-client-secret',
  },
  IntrospectTokenRequest: {
    token: 'an-opaque-token',
    client_id: exampleIds.installedClient,
    client_secret: 'a-client-secret',
  },
  RevokeTokenRequest: {
    token: 'an-opaque-token',
    client_id: exampleIds.installedClient,
    client_secret: 'a-client-secret',
  },
}
