import { type Command, Option } from 'commander'
import type { Answer, Item, Operations } from '../../client/api/client.ts'
import { append } from '../repeatable.ts'
import {
  changeOptions,
  deleteCommand,
  listCommand,
  printWithSecret,
  rotateCommand,
  toExpiry,
} from './resource-commands.ts'
import {
  groupCommand,
  type ListOptions,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
} from './run-on-server.ts'

type App = Answer<'getApp'>['data']
type NewApp = Operations['createApp']['body']['data']['attributes']

export function appsCommand(): Command {
  const list = listCommand<Item<'listApps'>, ListOptions>({
    summary: 'List the apps of an organization',
    examples: ['gatehouse apps     list the apps of the organization'],
    columns: [
      { title: 'NAME', isFlexible: true, cell: ({ attributes }) => attributes.name },
      { title: 'ID', cell: ({ id }) => id },
      { title: 'CLIENT ID', isOptional: true, cell: ({ attributes }) => attributes.client_id ?? '-' },
      { title: 'GRANT', isOptional: true, cell: ({ attributes }) => attributes.grant_type },
    ],
    empty: 'No apps. Register one with "gatehouse apps create".',
    items: async ({ client, orgId, signal }) => client.list('listApps', { params: { org_id: await orgId() }, signal }),
  })
  const rotate = rotateCommand<App>({
    name: 'apps rotate-secret',
    noun: 'app',
    async replace(session, app_id, attributes) {
      const params = { org_id: await session.orgId(), app_id }
      const body = { data: { type: 'app', attributes } } as const
      return (await session.client.call('manageAppSecrets', { params, body, ...changeOptions(session) })).data
    },
    print,
  })
  const remove = deleteCommand({
    of: 'apps',
    noun: 'app',
    summary: 'Delete an app and revoke all its sessions and installs',
    consequence: (id) => `All sessions and installs of app ${id} are revoked.`,
    async remove({ client, orgId, signal }, app_id) {
      await client.call('deleteApp', { params: { org_id: await orgId(), app_id }, signal })
    },
  })
  return groupCommand('apps', list, [createCommand(), rotate, remove])
}

interface CreateOptions extends ServerOptions {
  readonly scope: readonly string[]
  readonly redirectUri: readonly string[]
  readonly context?: 'tenant' | 'user'
  readonly unattended?: true
  readonly publicClient?: true
  readonly expires?: string
}

function createCommand(): Command {
  const examples = [
    'gatehouse apps create Shop --scope org.read --scope org.project.read --redirect-uri https://shop.example/callback',
    'gatehouse apps create Broker --scope org.read --unattended',
  ]
  return serverCommand('create', examples)
    .argument('<name>', 'shown to users who authorize the app')
    .requiredOption('--scope <name>', 'permission that the app may request (repeatable); org.read is required', append)
    .option('--redirect-uri <uri>', 'address to which users return after authorizing the app (repeatable)', append, [])
    .addOption(
      new Option('--context <context>', 'tenant: the app acts as itself; user: it acts for the user').choices([
        'tenant',
        'user',
      ]),
    )
    .option('--unattended', 'the app runs without users (client credentials)')
    .option('--public-client', 'the app cannot keep a secret and uses PKCE')
    .option('--expires <time>', 'day, time or duration after which the first secret expires')
    .description('Register an app; its client secret is printed once')
    .action(create)
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { scope, redirectUri, context, unattended, publicClient, expires } = options
  await runOnServer(options, async (session) => {
    const attributes: NewApp = {
      name,
      scopes: scope as NewApp['scopes'],
      ...(redirectUri.length > 0 && { redirect_uris: [...redirectUri] }),
      ...(context && { context }),
      ...(unattended && { grant_type: 'client_credentials' }),
      ...(publicClient && { is_confidential: false }),
      ...toExpiry(expires),
    }
    const body = { data: { type: 'app', attributes } } as const
    const params = { org_id: await session.orgId() }
    print(session, (await session.client.call('createApp', { params, body, ...changeOptions(session) })).data)
  })
}

function print(session: ServerSession, app: App): void {
  const { name, client_id, client_secret: secret } = app.attributes
  printWithSecret(session, app, {
    fields: { App: name, Id: app.id, 'Client id': client_id, 'Client secret': secret },
    secret,
  })
}
