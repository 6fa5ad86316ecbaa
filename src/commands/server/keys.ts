import type { Command } from 'commander'
import type { ApiKey, Operations } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import { toDay } from '../../client/resources/describe-project.ts'
import { isUuid } from '../../client/resources/find-org.ts'
import { changeOptions, deleteCommand, listCommand, printWithSecret, toExpiry } from './resource-commands.ts'
import {
  groupCommand,
  type ListOptions,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
} from './run-on-server.ts'

interface OwnerOptions {
  /** Another user, by email address or id. */
  readonly user?: string
}

export function keysCommand(): Command {
  return groupCommand('keys', ownKeys(), [createCommand(), revokeCommand()])
}

const USER_OPTION = ['--user <user>', 'keys of another user of the group, by email address or id'] as const

function ownKeys(): Command {
  const list = listCommand<ApiKey, ListOptions & OwnerOptions>({
    summary: 'List API keys: your own, or those of a user',
    examples: [
      'gatehouse keys                              list your API keys',
      'gatehouse keys --user ada@example.test      those of a user, as an administrator of the group',
    ],
    columns: [
      { title: 'NAME', isFlexible: true, cell: ({ attributes }) => attributes.name },
      { title: 'HINT', cell: ({ attributes }) => attributes.hint },
      { title: 'ID', cell: ({ id }) => id },
      { title: 'EXPIRES', cell: ({ attributes }) => toDay(attributes.expires_at) },
      { title: 'USED', isOptional: true, cell: ({ attributes }) => toDay(attributes.last_used_at) },
      { title: 'CREATED', isOptional: true, cell: ({ attributes }) => toDay(attributes.created_at) },
    ],
    empty: 'No API keys. Create one with "gatehouse keys create".',
    async items(session, options) {
      const { client, signal } = session
      const owner = await findOwner(session, options)
      return owner === undefined
        ? client.list('listOwnApiKeys', { signal })
        : client.list('listUserApiKeys', { params: owner, signal })
    },
  })
  return list.option(...USER_OPTION)
}

function createCommand(): Command {
  return serverCommand('create', ['gatehouse keys create laptop --expires 90d'])
    .argument('<name>', 'name of the key, such as its purpose')
    .option('--expires <time>', 'day, time or duration after which the key expires')
    .description('Create an API key of your own; it is printed once')
    .action((name: string, options: ServerOptions & { readonly expires?: string }) =>
      runOnServer(options, async (session) => {
        const attributes = { name, ...toExpiry(options.expires) }
        const body = { data: { type: 'api_key', attributes } } as const
        const { data } = await session.client.call('createOwnApiKey', { body, ...changeOptions(session) })
        const { api_key: secret, expires_at } = data.attributes
        const fields = { Name: data.attributes.name, Id: data.id, 'API key': secret, Expires: expires_at }
        printWithSecret(session, data, { fields, secret })
      }),
    )
}

function revokeCommand(): Command {
  const remove = deleteCommand<ServerOptions & OwnerOptions>({
    of: 'keys',
    noun: 'key',
    summary: 'Revoke an API key',
    consequence: (id) => `API key ${id} is refused from now on.`,
    async remove(session, key_id, options) {
      const { client, signal } = session
      const owner = await findOwner(session, options)
      if (owner === undefined) await client.call('deleteOwnApiKey', { params: { key_id }, signal })
      else await client.call('deleteUserApiKey', { params: { ...owner, key_id }, signal })
    },
  })
  return remove.option(...USER_OPTION)
}

/** Returns the chosen user in the group of the organization; undefined for the caller. */
async function findOwner(
  { client, orgId, signal }: ServerSession,
  { user }: OwnerOptions,
): Promise<Operations['listUserApiKeys']['params'] | undefined> {
  if (user === undefined) return undefined
  const { data: org } = await client.call('getOrg', { params: { org_id: await orgId() }, signal })
  const { group_id } = org.attributes
  if (isUuid(user)) return { group_id, user_id: user }
  const { data } = await client.call('listUsers', { params: { group_id }, query: { email: user }, signal })
  const match = data.find(({ attributes }) => attributes.email.toLowerCase() === user.toLowerCase())
  if (match === undefined) throw new ClientFailure(`No user of the group has the email address ${user}.`)
  return { group_id, user_id: match.id }
}
