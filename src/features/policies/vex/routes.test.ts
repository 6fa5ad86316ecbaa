import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { evaluatePolicies } from '#features/issue-index/policies/evaluation-rounds.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Statement {
  readonly vulnerability: { readonly name: string; readonly aliases?: readonly string[] }
  readonly products: readonly object[]
  readonly status: string
  readonly justification?: string
}

onEveryEngine('upload of VEX documents', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const path = (orgId = app.orgId) => `/rest/orgs/${orgId}/vex_documents`
  const ofGroup = () => `/rest/groups/${app.groupId}/vex_documents`
  const anyId = () => `GHSA-${randomUUID()}`
  const openVex = (id: string, ...statements: Statement[]) => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    statements,
  })
  const notAffected = (name: string, ...purls: string[]): Statement => ({
    vulnerability: { name },
    products: purls.map((purl) => ({ '@id': purl })),
    status: 'not_affected',
    justification: 'component_not_present',
  })

  async function upload(body: object, to = path()) {
    const answer = await app.call('POST', to, { body })
    assert.equal(answer.statusCode, 200, answer.body)
    await evaluatePolicies(app.parts.services, undefined)
    return answer.json().meta
  }

  /** Lists the open issues of a project. */
  async function openIn(projectId: string): Promise<string[]> {
    const query = { 'scan_item.id': projectId, 'scan_item.type': 'project', ignored: 'false' }
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/issues`, { query })).json()
    return data.map(({ attributes }: { attributes: { key: string } }) => attributes.key)
  }

  async function project(label: string, ...ids: string[]): Promise<string> {
    const issues = ids.map((id) => ({ id, in: label }))
    return (await recordProject(app, { graph: { project: [label], [label]: [] }, issues })).projectId
  }

  test('VEX: statements of not affected and fixed hide issues by package URL, version and identifier', async () => {
    const [a, b, c] = [anyId(), anyId(), anyId()]
    const [old, current] = [await project('vex-a@1.0.0', a, b, c), await project('vex-a@2.0.0', a, b, c)]
    const document = openVex(
      'https://vex.example/1',
      notAffected(a, 'pkg:npm/vex-a@1.0.0'),
      { vulnerability: { name: 'CVE-2099-1', aliases: [b] }, products: [{ '@id': 'pkg:npm/vex-a' }], status: 'fixed' },
      { ...notAffected(c, 'pkg:npm/vex-a'), status: 'affected' },
      { ...notAffected(c, 'pkg:npm/vex-a'), status: 'under_investigation' },
      notAffected(c, 'pkg:oci/image', 'not a package'),
    )
    assert.deepEqual(await upload(document), {
      document: { kind: 'openvex', id: 'https://vex.example/1' },
      statements: { ignoring: 2, affected: 1, under_investigation: 1, unmatched: 1 },
      policies: { created: 2, updated: 0, unchanged: 0, withdrawn: 0 },
    })
    assert.deepEqual(await openIn(old), [c])
    assert.deepEqual((await openIn(current)).sort(), [a, c].sort())
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/policies`, { query: { source: 'vex' } })).json()
    assert.deepEqual(
      data.map(({ attributes: { name, action } }: { attributes: { name: string; action: { data: object } } }) => [
        name,
        action.data,
      ]),
      [
        [`${a}: not affected`, { ignore_type: 'not-vulnerable', reason: 'component_not_present' }],
        ['CVE-2099-1: fixed', { ignore_type: 'not-vulnerable', reason: 'fixed, as https://vex.example/1 states' }],
      ],
    )
  })

  test('VEX uploaded again: changes nothing; a newer version updates and withdraws its statements', async () => {
    const [a, b] = [anyId(), anyId()]
    const projectId = await project(`vex-${randomUUID()}@1.0.0`, a, b)
    const row = await app.parts.services.db
      .selectFrom('packages')
      .select('name')
      .orderBy('number', 'desc')
      .executeTakeFirst()
    const purl = `pkg:npm/${row!.name}@1.0.0`
    const id = `https://vex.example/${randomUUID()}`
    const first = openVex(id, notAffected(a, purl), notAffected(b, purl))
    assert.equal((await upload(first)).policies.created, 2)
    assert.deepEqual((await upload(first)).policies, { created: 0, updated: 0, unchanged: 2, withdrawn: 0 })
    const changed = { ...notAffected(a, purl), justification: 'vulnerable_code_not_present' }
    const second = openVex(id, changed, { ...notAffected(b, purl), status: 'affected' })
    assert.deepEqual((await upload(second)).policies, { created: 0, updated: 1, unchanged: 0, withdrawn: 1 })
    assert.deepEqual(await openIn(projectId), [b])
    assert.deepEqual((await upload(first)).policies, { created: 0, updated: 2, unchanged: 0, withdrawn: 0 })
    assert.deepEqual(await openIn(projectId), [])
    const events = (await auditEventsOf(app, app.orgId)).filter(({ after }) => after?.includes(id))
    assert.deepEqual([...new Set(events.map(({ action }) => action))], ['policy.upload_vex'])
    assert.equal(events.length, 4)
  })

  test('VEX about one product twice: the last statement counts', async () => {
    const [a, name] = [anyId(), `vex-${randomUUID()}`]
    const projectId = await project(`${name}@1.0.0`, a)
    const purl = `pkg:npm/${name}@1.0.0`
    const id = `https://vex.example/${randomUUID()}`
    await upload(openVex(id, notAffected(a, purl), { ...notAffected(a, purl), status: 'affected' }))
    assert.deepEqual(await openIn(projectId), [a])
  })

  test('VEX about a component of a package: hides the issue only on paths through that package', async () => {
    const [a, name, through] = [anyId(), `vex-${randomUUID()}`, `vex-${randomUUID()}`]
    const label = `${name}@1.0.0`
    const issues = [{ id: a, in: label }]
    const inside = await recordProject(app, {
      graph: { project: [`${through}@1.0.0`], [`${through}@1.0.0`]: [label], [label]: [] },
      issues,
    })
    const outside = await project(label, a)
    const products = [{ '@id': `pkg:npm/${through}@1.0.0`, subcomponents: [{ '@id': `pkg:npm/${label}` }] }]
    await upload(openVex(`https://vex.example/${randomUUID()}`, { ...notAffected(a), products }))
    assert.deepEqual([await openIn(inside.projectId), await openIn(outside)], [[], [a]])
  })

  test('VEX of a group: hides issues in its organizations, and is audited there', async () => {
    const [a, name] = [anyId(), `vex-${randomUUID()}`]
    const projectId = await project(`${name}@1.0.0`, a)
    const document = openVex(`https://vex.example/${randomUUID()}`, notAffected(a, `pkg:npm/${name}@1.0.0`))
    assert.equal((await upload(document, ofGroup())).policies.created, 1)
    assert.deepEqual(await openIn(projectId), [])
    const events = await auditEventsOf(app, app.groupId)
    assert.equal(
      events.filter(({ action, target_kind }) => `${target_kind} ${action}` === 'group policy.upload_vex').length,
      1,
    )
  })

  testRefusals(() => app, 'uploading a VEX document for a group', {
    method: 'POST',
    path: () => ofGroup(),
    body: () => openVex('https://vex.example/refused'),
    since: '2024-10-15',
    needs: { permission: 'group.edit', in: 'group' },
  })

  test('own VEX document of a project: hides what its ignores hide, in that project', async () => {
    const [a, name] = [anyId(), `vex-${randomUUID()}`]
    const [one, other] = [await project(`${name}@1.0.0`, a), await project(`${name}@1.0.0`, a)]
    const ignore = `/v1/org/${app.orgId}/project/${one}/ignore/${a}`
    await app.call('POST', ignore, {
      body: { reasonType: 'not-vulnerable', disregardIfFixable: false, reason: 'unused' },
    })
    const query = { format: 'openvex0.2.0+json' }
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/projects/${one}/sbom`, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    await app.call('DELETE', ignore)
    assert.deepEqual(await openIn(one), [a])
    await upload(answer.json())
    assert.deepEqual([await openIn(one), await openIn(other)], [[], [a]])
  })

  for (const permission of [
    'org.project.ignore.create',
    'org.project.ignore.edit',
    'org.project.ignore.delete',
  ] as const) {
    testRefusals(() => app, `uploading a VEX document, needing ${permission}`, {
      method: 'POST',
      path: () => path(),
      body: () => openVex('https://vex.example/refused'),
      since: '2024-10-15',
      needs: { permission, in: 'org' },
      badBodies: [
        ['another document', { spdxVersion: 'SPDX-2.3' }, ''],
        ['an unknown status', openVex('x', { ...notAffected('A'), status: 'safe' }), '/statements/0/status'],
        ['an identifier with a space', openVex('x', notAffected('CVE 1', 'pkg:npm/a')), '/statements/0'],
        ['an id with a control character', openVex('x\u0007'), ''],
      ],
    })
  }
})
