import { client } from './generated/client.gen.ts'
import { createApp, getApp, getHealth, getSelf, listApps } from './generated/sdk.gen.ts'
import type { App } from './generated/types.gen.ts'

const [baseUrl = '', key = '', org_id = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, headers: { authorization: `token ${key}` } })
const query = { version: '2024-10-15' }

const health = await getHealth()
const self = await getSelf({ query })
const created = await createApp({
  path: { org_id },
  query,
  body: {
    data: {
      type: 'app',
      attributes: { name: 'Generated', redirect_uris: ['https://app.example/callback'], scopes: ['org.read'] },
    },
  },
})
const app: App = created.data!.data
const listed = await listApps({ path: { org_id }, query })
const missing = await getApp({ path: { org_id, app_id: org_id }, query })
process.stdout.write(
  JSON.stringify({
    version: health.data?.version,
    self: self.data?.data.id,
    app: app.attributes.name,
    apps: listed.data?.data.map(({ attributes }) => attributes.name),
    code: missing.error?.errors[0]?.code,
  }),
)
