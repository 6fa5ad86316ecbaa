import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { Answer, Operations } from '../../client/api/client.ts'
import { parseExpiry } from '../../client/resources/parse-time.ts'
import { type ReplacementOptions, toReplacement, withReplacementOptions } from './replace-secret.ts'
import {
  collect,
  confirm,
  groupCommand,
  type ListOptions,
  type Output,
  runOnServer,
  type ServerOptions,
  serverCommand,
  withLimit,
} from './run-on-server.ts'

type NewApp = Operations['createApp']['body']['data']['attributes']

export function appsCommand(): Command {
  return groupCommand('apps', listCommand(), [createCommand(), rotateCommand(), deleteCommand()])
}

function listCommand(): Command {
  return withLimit(serverCommand('list', ['gatehouse apps     list the apps that the organization registered']))
    .description('List the apps that an organization registered')
    .action((options: ListOptions) =>
      runOnServer(options, async ({ client, orgId, output, signal }) => {
        const apps = await collect(client.list('listApps', { params: { org_id: await orgId() }, signal }), options)
        output.table(
          apps,
          [
            { title: 'NAME', isFlexible: true },
            { title: 'ID' },
            { title: 'CLIENT ID', isOptional: true },
            { title: 'GRANT', isOptional: true },
          ],
          apps.map(({ id, attributes: { name, client_id, grant_type } }) => [name, id, client_id ?? '-', grant_type]),
          'No apps. Register one with "gatehouse apps create".',
        )
        return undefined
      }),
    )
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
    .requiredOption('--scope <name>', 'what the app may ask for (repeatable); one must be org.read', append, [])
    .option('--redirect-uri <uri>', 'where users are sent back to (repeatable)', append, [])
    .addOption(new Option('--context <context>', 'acts as itself, or for the user').choices(['tenant', 'user']))
    .option('--unattended', 'the app runs without users (client credentials)')
    .option('--public-client', 'the app cannot keep a secret and uses PKCE')
    .option('--expires <time>', 'day, time or duration after which the first secret expires')
    .description('Register an app; its client secret is printed once')
    .action(create)
}

function append(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { scope, redirectUri, context, unattended, publicClient, expires } = options
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const attributes: NewApp = {
      name,
      scopes: scope as NewApp['scopes'],
      ...(redirectUri.length > 0 && { redirect_uris: [...redirectUri] }),
      ...(context && { context }),
      ...(unattended && { grant_type: 'client_credentials' }),
      ...(publicClient && { is_confidential: false }),
      ...(expires !== undefined && { expires_at: parseExpiry(expires, '--expires', Date.now()) }),
    }
    const body = { data: { type: 'app', attributes } } as const
    const params = { org_id: await orgId() }
    const { data } = await client.call('createApp', { params, body, idempotencyKey: randomUUID(), signal })
    print(output, data)
    return undefined
  })
}

function print(output: Output, app: Answer<'getApp'>['data']): void {
  const { name, client_id, client_secret } = app.attributes
  output.record(app, { App: name, Id: app.id, 'Client id': client_id, 'Client secret': client_secret })
  if (client_secret !== undefined) console.error('The client secret is shown only now. Store it.')
}

function rotateCommand(): Command {
  const examples = ['gatehouse apps rotate-secret 6f1c2a34-… --overlap 24h     the old secret works for another day']
  return withReplacementOptions(serverCommand('rotate-secret', examples))
    .argument('<id>', 'id of the app')
    .description('Replace the client secret of an app; the new one is printed once')
    .action(rotate)
}

async function rotate(app_id: string, options: ReplacementOptions): Promise<void> {
  const attributes = toReplacement(options)
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const { data } = await client.call('manageAppSecrets', {
      params: { org_id: await orgId(), app_id },
      body: { data: { type: 'app', attributes } },
      idempotencyKey: randomUUID(),
      signal,
    })
    print(output, data)
    return undefined
  })
}

function deleteCommand(): Command {
  return serverCommand('delete', ['gatehouse apps delete 6f1c2a34-… --yes'])
    .argument('<id>', 'id of the app')
    .option('--yes', 'do not ask')
    .description('Delete an app and end all its sessions and installs')
    .action((app_id: string, options: ServerOptions & { yes?: true }) =>
      runOnServer(options, async ({ client, orgId, output, signal }) => {
        const org_id = await orgId()
        await confirm(`All sessions and installs of app ${app_id} end. This cannot be undone.`, { ...options, signal })
        await client.call('deleteApp', { params: { org_id, app_id }, signal })
        output.sentence({ id: app_id, deleted: true }, `Deleted ${app_id}.`)
        return undefined
      }),
    )
}
