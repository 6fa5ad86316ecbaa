import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command-line.ts'

const VERSION = 'version=2024-10-15'
const COLLABORATOR = '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004'
const WEBHOOK_URL = 'https://hooks.example/in?token=t'

/** Facts that a server must still know after an upgrade. */
export interface Samples {
  readonly orgId: string
  /** The key of a service account. */
  readonly accountKey: string
  readonly webhookId: string
  readonly projectId: string
  /** Ids of the project's issues; the first is ignored. */
  readonly issueIds: readonly string[]
}

/** Stores a service account, a webhook, a project with issues and an ignore. */
export async function storeSamples(baseUrl: string, key: string): Promise<Samples> {
  const call = caller(baseUrl, key)
  const { orgs } = await call<{ orgs: { id: string }[] }>('/v1/orgs')
  const orgId = orgs[0]!.id
  const rest = (path: string) => `/rest/orgs/${orgId}/${path}?${VERSION}`
  const account = { name: 'ci', auth_type: 'api_key', role_id: COLLABORATOR }
  const made = await call<Created>(rest('service_accounts'), { data: { type: 'service_account', attributes: account } })
  const webhook = { url: WEBHOOK_URL, events: ['import.finished'] }
  const hook = await call<Created>(rest('webhooks'), { data: { type: 'webhook', attributes: webhook } })
  await monitorLodash(baseUrl, key)
  const projectId = (await call<List>(rest('projects'))).data[0]!.id
  const issueIds = await listIssues(call, { orgId, projectId })
  const ignore = { ignorePath: '*', reason: 'sample', reasonType: 'wont-fix', disregardIfFixable: false }
  await call(`/v1/org/${orgId}/project/${projectId}/ignore/${issueIds[0]}`, ignore)
  return { orgId, accountKey: made.data.attributes['api_key']!, webhookId: hook.data.id, projectId, issueIds }
}

/** Throws if a server does not know the samples. */
export async function checkSamples(baseUrl: string, key: string, samples: Samples): Promise<void> {
  const call = caller(baseUrl, key)
  const { orgId, accountKey, webhookId, projectId, issueIds } = samples
  const { data: hook } = await call<Created>(`/rest/orgs/${orgId}/webhooks/${webhookId}?${VERSION}`)
  assert.equal(hook.attributes['url'], WEBHOOK_URL)
  const projects = await caller(baseUrl, accountKey)<List>(`/rest/orgs/${orgId}/projects?${VERSION}`)
  assert.deepEqual(
    projects.data.map(({ id }) => id),
    [projectId],
  )
  assert.deepEqual(await listIssues(call, { orgId, projectId }), issueIds)
  const ignores = await call<object>(`/v1/org/${orgId}/project/${projectId}/ignores`)
  assert.deepEqual(Object.keys(ignores), [issueIds[0]])
}

interface Created {
  readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, string>> }
}

interface List {
  readonly data: readonly { readonly id: string }[]
}

type Call = <T>(path: string, body?: object) => Promise<T>

function caller(baseUrl: string, key: string): Call {
  return async <T>(path: string, body?: object) => {
    const type = path.startsWith('/rest') ? 'application/vnd.api+json' : 'application/json'
    const answer = await fetch(baseUrl + path, {
      headers: { authorization: `token ${key}`, ...(body && { 'content-type': type }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`)
    return (await answer.json()) as T
  }
}

async function listIssues(call: Call, { orgId, projectId }: { orgId: string; projectId: string }): Promise<string[]> {
  const { issues } = await call<{ issues: { id: string }[] }>(
    `/v1/org/${orgId}/project/${projectId}/aggregated-issues`,
    { filters: { ignored: true } },
  )
  const all = await call<{ issues: { id: string }[] }>(`/v1/org/${orgId}/project/${projectId}/aggregated-issues`, {})
  return [...new Set([...issues, ...all.issues].map(({ id }) => id))].sort()
}

async function monitorLodash(baseUrl: string, key: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sample-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"name":"shop","dependencies":{"lodash":"4.17.4"}}')
    const packages = { '': { dependencies: { lodash: '4.17.4' } }, 'node_modules/lodash': { version: '4.17.4' } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'shop', lockfileVersion: 3, packages }))
    const environment = { GATEHOUSE_URL: baseUrl, GATEHOUSE_KEY: key, HOME: folder }
    const { code, output, errors } = await runCommand(['monitor', folder], { environment })
    assert.equal(code, 0, output + errors)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
