import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type ProjectInput, recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook, eventsOf } from '#test/servers/webhooks.ts'

/** A project with one vulnerability on two paths, and one license issue on one path. */
interface Scene {
  readonly orgId: string
  readonly projectId: string
  readonly input: ProjectInput
  readonly vulnerability: string
  readonly alias: string
  readonly license: string
  readonly a: string
  readonly b: string
  readonly c: string
}

interface Ignored {
  /** The two paths to the vulnerability: through a, through b. */
  readonly paths: readonly [boolean, boolean]
  readonly license?: true
}

const OPEN: Ignored = { paths: [false, false] }
const BOTH: Ignored = { paths: [true, true] }
const far = '2099-01-01T00:00:00.000Z'
const plain = { reasonType: 'wont-fix', disregardIfFixable: false, reason: 'we never call it' }

/** Ignores, and what every view must then show as ignored. */
const cases: readonly [why: string, ignores: (scene: Scene) => readonly [issue: string, body: object][], Ignored][] = [
  ['nothing', () => [], OPEN],
  ['all paths without an expiry', ({ vulnerability }) => [[vulnerability, plain]], BOTH],
  ['all paths with a future expiry', ({ vulnerability }) => [[vulnerability, { ...plain, expires: far }]], BOTH],
  ['all paths with a past expiry', ({ vulnerability: v }) => [[v, { ...plain, expires: '2022-08-29' }]], OPEN],
  ['one path', ({ vulnerability, a }) => [[vulnerability, { ...plain, ignorePath: a }]], { paths: [true, false] }],
  [
    'each path separately',
    ({ vulnerability, a, b }) => [
      [vulnerability, { ...plain, ignorePath: a }],
      [vulnerability, { ...plain, ignorePath: `* > ${b}`, expires: far }],
    ],
    BOTH,
  ],
  [
    'each path separately, with one expired',
    ({ vulnerability, a, b }) => [
      [vulnerability, { ...plain, ignorePath: a, expires: '2022-08-29' }],
      [vulnerability, { ...plain, ignorePath: b }],
    ],
    { paths: [false, true] },
  ],
  [
    'unfixable paths, where one is fixable',
    ({ vulnerability }) => [[vulnerability, { ...plain, disregardIfFixable: true }]],
    { paths: [false, true] },
  ],
  [
    'unfixable paths and the fixable one',
    ({ vulnerability, a, c }) => [
      [vulnerability, { ...plain, disregardIfFixable: true }],
      [vulnerability, { ...plain, ignorePath: `${a} > ${c}` }],
    ],
    BOTH,
  ],
  ['all paths by an alias', ({ alias }) => [[alias, plain]], BOTH],
  ['a missing path', ({ vulnerability, b, a }) => [[vulnerability, { ...plain, ignorePath: `${b} > ${a}` }]], OPEN],
  ['an unknown issue', () => [['GHSA-0000-0000-0000', plain]], OPEN],
  ['the license', ({ license }) => [[license, plain]], { paths: [false, false], license: true }],
  [
    'everything',
    ({ vulnerability, license }) => [
      [vulnerability, plain],
      [license, { ...plain, ignorePath: '* > *' }],
    ],
    { paths: [true, true], license: true },
  ],
]

onEveryEngine('effects of ignores', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const get = async (path: string, query: Record<string, string> = {}) => {
    const answer = await app.call('GET', path, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const post = async (path: string, body: object = {}) => {
    const answer = await app.call('POST', path, { body })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  async function setScene(): Promise<Scene> {
    const orgId = await app.addOrg()
    const rules = [{ license: 'GPL-3.0-only', severity: 'medium' }]
    const policy = { data: { type: 'license_policy', attributes: { rules } } }
    assert.equal((await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, { body: policy })).statusCode, 200)
    await addWebhook(app, { orgId, url: 'https://hooks.example/', events: ['issues.new'] })
    const name = randomUUID().slice(0, 8)
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((letter) => `${name}-${letter}@1.0.0`) as [
      string,
      string,
      string,
      string,
    ]
    const [vulnerability, alias] = [`GHSA-${randomUUID()}`, `CVE-${randomUUID()}`]
    const input: ProjectInput = {
      orgId,
      name,
      graph: { project: [a, b, d], [a]: [c], [b]: [c], [c]: [], [d]: [] },
      licenses: { [a]: 'MIT', [d]: 'GPL-3.0-only' },
      issues: [{ id: vulnerability, in: c, severity: 'high', aliases: [alias], upgradable: [`${a} > ${c}`] }],
    }
    const { projectId } = await recordProject(app, input)
    return { orgId, projectId, input, vulnerability, alias, license: `lic:npm:${name}-d:GPL-3.0-only`, a, b, c }
  }

  async function ignore({ orgId, projectId }: Scene, issue: string, body: object): Promise<void> {
    await post(`/v1/org/${orgId}/project/${projectId}/ignore/${issue}`, body)
  }

  interface Shown {
    id: string
    attributes: { key: string; ignored: boolean; ignores?: Record<string, unknown>[] }
  }

  /** Views of the scene, by name. */
  const places: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
    'GET /rest/orgs/{org_id}/issues': async ({ orgId }) => {
      const of = async (query: Record<string, string>) =>
        ((await get(`/rest/orgs/${orgId}/issues`, query)).data as Shown[]).map(({ attributes }) => attributes)
      const shown: Record<string, unknown> = {}
      for (const type of ['package_vulnerability', 'license']) {
        const all = await of({ type })
        const open = await of({ type, ignored: 'false' })
        const ignored = await of({ type, ignored: 'true' })
        shown[type] = {
          all: all.map((issue) => issue.ignored),
          open: open.map((issue) => issue.ignored),
          ignored: ignored.map((issue) => issue.ignored),
        }
      }
      return shown
    },
    'GET /rest/orgs/{org_id}/issues/{issue_id}': async ({ orgId }) => {
      const shown: Record<string, unknown> = {}
      for (const type of ['package_vulnerability', 'license']) {
        const [listed] = (await get(`/rest/orgs/${orgId}/issues`, { type })).data as Shown[]
        const one = (await get(`/rest/orgs/${orgId}/issues/${listed!.id}`)).data as Shown
        if (one.attributes.ignored) assert.deepEqual(one.attributes.ignores, listed!.attributes.ignores)
        shown[type] = one.attributes.ignored
      }
      return shown
    },
    'GET /rest/orgs/{org_id}/projects': async ({ orgId }) => {
      const query = { 'meta.latest_issue_counts': 'true' }
      const [listed] = (await get(`/rest/orgs/${orgId}/projects`, query)).data
      const one = (await get(`/rest/orgs/${orgId}/projects/${listed.id}`, query)).data
      const { updated_at: _, ...counts } = listed.meta.latest_issue_counts
      const { updated_at: __, ...same } = one.meta.latest_issue_counts
      assert.deepEqual(counts, same)
      return counts
    },
    'GET /v1/org/{orgId}/project/{projectId}': async ({ orgId, projectId }) => {
      const project = await get(`/v1/org/${orgId}/project/${projectId}`)
      const { issueCountsBySeverity, ignoredIssueCountsBySeverity, remediation } = project
      const [listed] = (await post(`/v1/org/${orgId}/projects`)).projects
      assert.deepEqual(listed.issueCountsBySeverity, issueCountsBySeverity)
      return {
        open: issueCountsBySeverity,
        ignored: ignoredIssueCountsBySeverity,
        upgrades: Object.keys(remediation.upgrade),
      }
    },
    'POST …/aggregated-issues': async ({ orgId, projectId }) => {
      const of = async (filters: object) =>
        (
          (await post(`/v1/org/${orgId}/project/${projectId}/aggregated-issues`, { filters })).issues as {
            issueType: string
            isIgnored: boolean
          }[]
        ).map(({ issueType, isIgnored }) => `${issueType} ${isIgnored}`)
      return { all: await of({}), open: await of({ ignored: false }), ignored: await of({ ignored: true }) }
    },
    'POST …/aggregated-issues, by direct dependency': async ({ orgId, projectId }) => {
      const options = { includeIntroducedThrough: true }
      const { issues } = await post(`/v1/org/${orgId}/project/${projectId}/aggregated-issues`, options)
      const through = issues.flatMap(({ introducedThrough }: { introducedThrough: { isIgnored: boolean }[] }) =>
        introducedThrough.map(({ isIgnored }) => isIgnored),
      )
      const some = issues.map((issue: { ignoreReasons?: unknown; pathIgnores?: unknown }) =>
        issue.ignoreReasons ? 'all' : issue.pathIgnores ? 'some' : 'none',
      )
      return { through, paths: some }
    },
    'GET …/issue/{issueId}/paths': async ({ orgId, projectId, vulnerability, license }) => {
      const ignored = []
      for (const id of [vulnerability, license]) {
        const response = await get(`/v1/org/${orgId}/project/${projectId}/issue/${encodeURIComponent(id)}/paths`)
        assert.equal(response.pathIgnores.length, response.paths.length)
        ignored.push(...response.pathIgnores.map((reasons: unknown[]) => reasons.length > 0))
      }
      return ignored
    },
    'POST …/issues': async ({ orgId, projectId }) => {
      const of = async (filters: object) => {
        const { issues } = await post(`/v1/org/${orgId}/project/${projectId}/issues`, { filters })
        const all = [...issues.vulnerabilities, ...issues.licenses] as { from: string[]; isIgnored: boolean }[]
        return all.map(({ from, isIgnored }) => `${from[0]!.split('-')[1]![0]} ${isIgnored}`).sort()
      }
      return { all: await of({}), open: await of({ ignored: false }), ignored: await of({ ignored: true }) }
    },
    'POST …/history, after a test': async ({ orgId, projectId, input }) => {
      await recordProject(app, input)
      const [latest] = (await post(`/v1/org/${orgId}/project/${projectId}/history`)).snapshots
      return latest.issueCounts
    },
  }

  const zero = { critical: 0, high: 0, medium: 0, low: 0 }

  function expected(
    { paths: [throughA, throughB], license = false }: Omit<Ignored, 'license'> & { license?: boolean },
    { a }: Scene,
  ) {
    const isIgnored = throughA && throughB
    const marks = { vuln: isIgnored, license }
    const listed = (ignored: boolean) => ({
      all: [ignored],
      open: ignored ? [] : [false],
      ignored: ignored ? [true] : [],
    })
    const counts = { ...zero, high: isIgnored ? 0 : 1, medium: license ? 0 : 1 }
    const hidden = { ...zero, high: isIgnored ? 1 : 0, medium: license ? 1 : 0 }
    const through = [throughA, throughB, license]
    const entries = [`a ${throughA}`, `b ${throughB}`, `d ${license}`]
    const aggregated = [`vuln ${marks.vuln}`, `license ${marks.license}`]
    const split = (list: string[]) => ({
      all: list,
      open: list.filter((entry) => entry.endsWith('false')),
      ignored: list.filter((entry) => entry.endsWith('true')),
    })
    return {
      'GET /rest/orgs/{org_id}/issues': { package_vulnerability: listed(isIgnored), license: listed(license) },
      'GET /rest/orgs/{org_id}/issues/{issue_id}': { package_vulnerability: isIgnored, license },
      'GET /rest/orgs/{org_id}/projects': { ...counts, ignored: hidden },
      'GET /v1/org/{orgId}/project/{projectId}': { open: counts, ignored: hidden, upgrades: isIgnored ? [] : [a] },
      'POST …/aggregated-issues': split(aggregated),
      'POST …/aggregated-issues, by direct dependency': {
        through,
        paths: [isIgnored ? 'all' : throughA || throughB ? 'some' : 'none', license ? 'all' : 'none'],
      },
      'GET …/issue/{issueId}/paths': through,
      'POST …/issues': split(entries),
      'POST …/history, after a test': {
        vuln: { ...zero, high: counts.high },
        license: { ...zero, medium: counts.medium },
      },
    } as Record<string, unknown>
  }

  for (const [why, ignores, outcome] of cases) {
    test(`ignores of ${why}: have the same effect in every view of issues and projects`, async () => {
      const scene = await setScene()
      for (const [issue, body] of ignores(scene)) await ignore(scene, issue, body)
      for (const [place, look] of Object.entries(places)) {
        assert.deepEqual(await look(scene), expected(outcome, scene)[place], place)
      }
    })

    test(`earlier ignores of ${why}: new issues are announced without those that are ignored`, async () => {
      const scene = await setScene()
      const { input } = scene
      const nothing = { ...input, graph: { project: [] }, licenses: {}, issues: [] }
      const { projectId } = await recordProject(app, { ...nothing, name: `${input.name} later` })
      for (const [issue, body] of ignores(scene)) await ignore({ ...scene, projectId }, issue, body)
      const { newIssueIds } = await recordProject(app, { ...input, name: `${input.name} later` })
      const { paths, license } = outcome
      const expected = [...(paths[0] && paths[1] ? [] : [scene.vulnerability]), ...(license ? [] : [scene.license])]
      assert.deepEqual([...newIssueIds].sort(), expected.sort())
      const events = (await eventsOf(app, scene.orgId)) as unknown as { data: { issues: { id: string }[] } }[]
      assert.deepEqual(events.flatMap(({ data }) => data.issues.map(({ id }) => id)).sort(), expected)
    })
  }

  describe('details of ignores', () => {
    test('details of an ignore: issues show reason, type, author and expiry of the applying ones', async () => {
      const scene = await setScene()
      const { orgId, projectId, vulnerability, a, b } = scene
      await ignore(scene, vulnerability, { ...plain, ignorePath: a, expires: far })
      await ignore(scene, vulnerability, { ...plain, ignorePath: b, reasonType: 'not-vulnerable', reason: 'proved' })
      await ignore(scene, vulnerability, { ...plain, ignorePath: 'not there' })
      const { id } = await get('/v1/user/me')
      const [issue] = (await get(`/rest/orgs/${orgId}/issues`)).data as Shown[]
      const by = { id, name: (await get('/rest/self')).data.attributes.name }
      assert.deepEqual(issue!.attributes.ignores, [
        { path: a, reason: plain.reason, reason_type: 'wont-fix', expires: far, ignored_by: by },
        { path: b, reason: 'proved', reason_type: 'not-vulnerable', expires: null, ignored_by: by },
      ])
      const { issues } = await post(`/v1/org/${orgId}/project/${projectId}/aggregated-issues`)
      const reasons = issues.find((issue: { id: string }) => issue.id === vulnerability).ignoreReasons
      assert.deepEqual(reasons, [
        { reason: plain.reason, expires: far, source: 'api', path: a, reasonType: 'wont-fix', ignoredBy: by },
        { reason: 'proved', source: 'api', path: b, reasonType: 'not-vulnerable', ignoredBy: by },
      ])
    })
  })

  test('issue with one ignored path: open, with the reasons in pathIgnores', async () => {
    const scene = await setScene()
    const { orgId, projectId, vulnerability, a } = scene
    await ignore(scene, vulnerability, { ...plain, ignorePath: a })
    const project = `/v1/org/${orgId}/project/${projectId}`
    const { issues } = await post(`${project}/aggregated-issues`)
    const issue = issues.find((issue: { id: string }) => issue.id === vulnerability)
    assert.deepEqual([issue.isIgnored, issue.ignoreReasons], [false, undefined])
    const { pathIgnores } = await get(`${project}/issue/${vulnerability}/paths`)
    assert.deepEqual(pathIgnores, [issue.pathIgnores, []])
    assert.deepEqual([pathIgnores[0][0].path, pathIgnores[0][0].reason], [a, plain.reason])
    const [listed] = (await get(`/rest/orgs/${orgId}/issues`)).data as Shown[]
    const { attributes } = (await get(`/rest/orgs/${orgId}/issues/${listed!.id}`)).data as Shown
    assert.deepEqual([attributes.ignored, attributes.ignores?.map(({ path }) => path)], [false, [a]])
  })

  test('deleted ignores: every view shows the issues as open', async () => {
    const scene = await setScene()
    const { orgId, projectId, vulnerability, license } = scene
    for (const issue of [vulnerability, license]) {
      await ignore(scene, issue, plain)
      const answer = await app.call('DELETE', `/v1/org/${orgId}/project/${projectId}/ignore/${issue}`)
      assert.equal(answer.statusCode, 200, answer.body)
    }
    for (const [place, look] of Object.entries(places)) {
      assert.deepEqual(await look(scene), expected(OPEN, scene)[place], place)
    }
  })
})
