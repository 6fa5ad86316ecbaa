import createClient from 'openapi-fetch'
import type { components, paths } from './generated.ts'

type App = components['schemas']['App']

const [baseUrl = '', key = '', org_id = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: `token ${key}` } })
const query = { version: '2024-10-15' }

const health = await client.GET('/healthz')
const self = await client.GET('/rest/self', { params: { query } })
const created = await client.POST('/rest/orgs/{org_id}/apps/creations', {
  params: { path: { org_id }, query },
  body: {
    data: {
      type: 'app',
      attributes: { name: 'Generated', redirect_uris: ['https://app.example/callback'], scopes: ['org.read'] },
    },
  },
  bodySerializer: (body) => JSON.stringify(body),
  headers: { 'content-type': 'application/vnd.api+json' },
})
const app: App = created.data!.data
const listed = await client.GET('/rest/orgs/{org_id}/apps/creations', { params: { path: { org_id }, query } })
const missing = await client.GET('/rest/orgs/{org_id}/apps/creations/{app_id}', {
  params: { path: { org_id, app_id: org_id }, query },
})
process.stdout.write(
  JSON.stringify({
    version: health.data?.version,
    self: self.data?.data.id,
    app: app.attributes.name,
    apps: listed.data?.data.map(({ attributes }) => attributes.name),
    code: missing.error?.errors[0]?.code,
  }),
)
